internal import Values

/// The people and communities of the stand-in's VK.
///
/// | id | who |
/// |---|---|
/// | 743215608 | the user whose token it is, Мирослава Соколова (`miro.sokolova`) |
/// | 743215609 | a friend, whose wall takes no posts (`oleg.vetrov`) |
/// | 226100401 … 226100440 | forty communities that the user manages; the community's token belongs to the first (`kafe_miro`) |
/// | 22822305 | a community that the user does not manage (`sandbox_news`) |
/// | 10 and more, but for these | a community that the user manages: a workflow is tried with the walls that it names |
enum VKWorld {
    struct Group: Sendable {
        let id: Int64
        let name: String
        let screenName: String
        let isManaged: Bool
    }

    struct Person: Sendable {
        let id: Int64
        let firstName: String
        let lastName: String
        let screenName: String
    }

    static let user = Person(id: 743_215_608, firstName: "Мирослава", lastName: "Соколова", screenName: "miro.sokolova")
    static let people = [
        user, Person(id: 743_215_609, firstName: "Олег", lastName: "Ветров", screenName: "oleg.vetrov"),
    ]
    static let groups: [Group] = {
        let names = [
            ("Кафе «Миро»", "kafe_miro"), ("Miro Roastery", "miro_roastery"), ("Пекарня «Корица»", "koritsa_bakery"),
        ]
        let managed = (0..<40).map { index in
            let (name, screenName) =
                index < names.count ? names[index] : ("Miro, лавка № \(index + 1)", "miro_shop_\(index + 1)")
            return Group(id: 226_100_401 + Int64(index), name: name, screenName: screenName, isManaged: true)
        }
        return managed + [Group(id: 22_822_305, name: "Sandbox News", screenName: "sandbox_news", isManaged: false)]
    }()

    /// The community whose token there is.
    static var community: Group { groups[0] }

    static func group(_ id: Int64) -> Group? {
        if let known = groups.first(where: { $0.id == id }) { return known }
        return id < 10 || person(id) != nil
            ? nil : Group(id: id, name: "Club \(id)", screenName: "club\(id)", isManaged: true)
    }
    static func person(_ id: Int64) -> Person? { people.first { $0.id == id } }

    /// The owner of an address such as "kafe_miro", "club226100401", "id743215608"; negative for a community.
    static func owner(screenName: String) -> Int64? {
        if let group = groups.first(where: { $0.screenName == screenName }) { return -group.id }
        if let person = people.first(where: { $0.screenName == screenName }) { return person.id }
        for prefix in ["club", "public"] where screenName.hasPrefix(prefix) {
            if let id = Int64(screenName.dropFirst(prefix.count)), group(id) != nil { return -id }
        }
        if screenName.hasPrefix("id"), let id = Int64(screenName.dropFirst(2)), person(id) != nil { return id }
        return nil
    }
}

extension VKWorld.Group {
    func value(canManage: Bool) -> Value {
        [
            "id": .integer(id), "name": .string(name), "screen_name": .string(screenName), "is_closed": 0,
            "type": "page",
            "is_admin": canManage ? 1 : 0, "admin_level": canManage ? 3 : 0, "is_member": canManage ? 1 : 0,
        ]
    }
}

extension VKWorld.Person {
    var value: Value {
        [
            "id": .integer(id), "first_name": .string(firstName), "last_name": .string(lastName),
            "screen_name": .string(screenName), "can_access_closed": true, "is_closed": false,
        ]
    }
}
