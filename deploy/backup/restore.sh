#!/bin/sh
# Makes a data folder from a backup and the WAL since, up to the end or to a moment just before a mistake.
#   restore.sh /backups /var/lib/postgresql/data ['2026-05-04 12:30:00+00']
# Run it as the user that runs PostgreSQL, then start PostgreSQL on the folder: it replays and opens by itself.
set -eu
if [ $# -lt 2 ]; then
  sed -n '2,4s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
backups=$1 data=$2 until=${3:-}

if [ -e "$data" ] && [ -n "$(ls -A "$data")" ]; then
  echo "$data is not empty. Move it away first: a failed restore must not cost what is left." >&2
  exit 1
fi
# The newest backup that had ended by then.
base=''
for candidate in "$backups"/base-*; do
  [ -d "$candidate" ] || continue
  taken=$(basename "$candidate" | sed 's/^base-\(....\)\(..\)\(..\)T\(..\)\(..\)\(..\)Z$/\1-\2-\3 \4:\5:\6+00/')
  if [ -z "$until" ] || [ "$(date -d "$taken" +%s)" -lt "$(date -d "$until" +%s)" ]; then base=$candidate; fi
done
if [ -z "$base" ]; then
  echo "There is no backup in $backups from before ${until:-now}." >&2
  exit 1
fi
echo "Restoring $base …"
pg_verifybackup --quiet "$base"
mkdir -p "$data"
cp -a "$base/." "$data/"
chmod 700 "$data"
{
  echo "restore_command = 'cp $backups/wal/%f %p'"
  echo "recovery_target_action = 'promote'"
  [ -z "$until" ] || echo "recovery_target_time = '$until'"
} >> "$data/postgresql.auto.conf"
touch "$data/recovery.signal"
echo 'Ready. Start PostgreSQL on it; then nameplated account check, and a new backup.'
