/// What a shell is taught: to ask the program, and to put its answer into the shell's own form.
struct CompletionScript: Sendable {
    let shell: String
    let text: String

    static let all = [bash, zsh, fish]

    /// bash parts words at '=' and ':' as well: they are put together again, and only what follows is offered.
    private static let bash = CompletionScript(
        shell: "bash",
        text: """
            # Completes pasteup in bash: source <(pasteup completions bash)
            _pasteup() {
                local rest=${COMP_LINE:0:COMP_POINT} piece blank before answer kind prefix path place
                local -a words=() lines=()
                COMPREPLY=()
                for ((place = 0; place <= COMP_CWORD; place++)); do
                    blank=${rest%%[![:blank:]]*}
                    rest=${rest#"$blank"}
                    piece=${COMP_WORDS[place]}
                    if ((place == COMP_CWORD)); then piece=$rest; fi
                    rest=${rest#"$piece"}
                    if ((place == 0)) || [[ -n $blank ]]; then
                        words+=("$piece")
                    else
                        words[${#words[@]} - 1]+=$piece
                    fi
                done
                piece=${words[${#words[@]} - 1]}
                before=${piece%"$2"}
                mapfile -t lines < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
                kind=${lines[0]%%$'\\t'*} prefix=${lines[0]#*$'\\t'}
                for answer in "${lines[@]:1}"; do
                    answer=${answer%%$'\\t'*}
                    COMPREPLY+=("${answer#"$before"}")
                done
                if [[ -n $kind ]]; then
                    compopt -o filenames 2>/dev/null
                    path=${piece#"$prefix"}
                    case $kind in
                        folders) mapfile -t COMPREPLY < <(compgen -d -- "$path") ;;
                        files) mapfile -t COMPREPLY < <(compgen -f -- "$path") ;;
                    esac
                fi
                # After 'name=' the value follows in the same word.
                if [[ ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
            }
            complete -F _pasteup pasteup

            """)

    private static let zsh = CompletionScript(
        shell: "zsh",
        text: """
            #compdef pasteup
            # Completes pasteup in zsh: source <(pasteup completions zsh), after compinit.
            _pasteup() {
                local answer kind prefix text
                local -a lines plain open
                lines=("${(@f)$("${words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
                kind=${lines[1]%%$'\\t'*} prefix=${lines[1]#*$'\\t'}
                for answer in "${(@)lines[2,-1]}"; do
                    text=${answer%%$'\\t'*}
                    text=${text//:/\\\\:}
                    [[ $answer == *$'\\t'* ]] && text+=:${answer#*$'\\t'}
                    if [[ ${answer%%$'\\t'*} == *= ]]; then open+=("$text"); else plain+=("$text"); fi
                done
                (( $#plain )) && _describe -t values pasteup plain
                # After 'name=' the value follows in the same word.
                (( $#open )) && _describe -t inputs input open -S ''
                if [[ -n $kind ]]; then
                    compset -P "${(b)prefix}"
                    if [[ $kind == folders ]]; then _files -/; else _files; fi
                fi
            }
            if [[ $funcstack[1] == _pasteup ]]; then _pasteup "$@"; else compdef _pasteup pasteup; fi

            """)

    private static let fish = CompletionScript(
        shell: "fish",
        text: """
            # Completes pasteup in fish: pasteup completions fish > ~/.config/fish/completions/pasteup.fish
            function __pasteup_complete
                set -l words (commandline -opc) (commandline -ct)
                set -l lines ($words[1] __complete $words[2..-1] 2>/dev/null)
                set -l head (string split \\t -- $lines[1])
                for line in $lines[2..-1]
                    echo $line
                end
                switch $head[1]
                    case files
                        set -l path (string replace -- "$head[2]" "" "$words[-1]")
                        for file in (__fish_complete_path $path)
                            echo $head[2]$file
                        end
                    case folders
                        set -l path (string replace -- "$head[2]" "" "$words[-1]")
                        for folder in (__fish_complete_directories $path)
                            echo $head[2]$folder
                        end
                end
            end
            complete -c pasteup -f -a '(__pasteup_complete)'

            """)
}
