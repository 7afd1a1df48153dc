# Functions for hidden commands of pages that need processes of their own. start_api and start_worker return when the process is ready, and
# stop_api and stop_worker when it has ended. kill_api and kill_worker do not let it end in order. Its log is in $page_processes/api.log or
# worker.log.
page_start() {
  local pipe=$page_processes/$1.pipe line=
  [ -p "$pipe" ] || mkfifo "$pipe"
  env WAFT_LOG_LEVEL=info "${@:2}" waftd "$1" >"$pipe" 2>&1 </dev/null 3<&- 4>&- &
  echo $! >"$page_processes/$1.pid"
  exec {page_log}<"$pipe"
  while read -r line <&"$page_log"; do
    echo "$line" >>"$page_processes/$1.log"
    [[ $line != *"msg=ready "* ]] || break
  done
  if [[ $line != *"msg=ready "* ]]; then
    cat "$page_processes/$1.log"
    return 1
  fi
  cat <&"$page_log" >>"$page_processes/$1.log" 3<&- 4>&- &
  exec {page_log}<&-
}
page_end() {
  local pid
  pid=$(cat "$page_processes/$1.pid")
  kill "-$2" "$pid"
  wait "$pid" || :
}
start_api() { page_start api; }
start_worker() { page_start worker WAFT_ROOT_KEY= WAFT_LISTEN_ADDR="$page_worker_listen" WAFT_ADMIN_ADDR="$page_worker_admin"; }
stop_api() { page_end api TERM; }
stop_worker() { page_end worker TERM; }
kill_api() { page_end api KILL; }
kill_worker() { page_end worker KILL; }
start_api
start_worker
