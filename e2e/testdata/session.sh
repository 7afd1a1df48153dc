# Runs the blocks of a page in this shell, one request from descriptor 3 after the other, and reports each on descriptor 4 as
# "exit code, line, command". A request is a kind, a script and a file for its output, separated by tabs. Scripts have the line numbers of
# their page.
set -Eeuo pipefail
trap 'page_line=$LINENO page_command=${BASH_COMMAND%%$'"'"'\n'"'"'*}' ERR
trap 'printf "%s\t%s\t%s\n" "$?" "${page_line:-0}" "${page_command:-}" >&4' EXIT
while IFS=$'\t' read -r -u 3 page_kind page_script page_output; do
  case $page_kind in
  run) # changes this shell, and ends it when a command fails
    source "$page_script" >"$page_output" 2>&1 </dev/null
    ;;
  value) # what it prints is a value
    source "$page_script" >"$page_output" 2>"$page_output.errors" </dev/null
    ;;
  fails) # in a shell of its own, in which the first command that fails is the last
    (
      trap 'page_line=$LINENO page_command=${BASH_COMMAND%%$'"'"'\n'"'"'*}' ERR
      trap 'printf "%s\t%s\t%s\n" "$?" "${page_line:-0}" "${page_command:-}" >"$page_output.failed"' EXIT
      source "$page_script"
    ) >"$page_output" 2>&1 </dev/null &
    wait $! || :
    cat "$page_output.failed" >&4
    continue
    ;;
  background)
    (source "$page_script") >"$page_output" 2>&1 </dev/null &
    ;;
  esac
  printf '0\t0\t\n' >&4
done
trap - EXIT
