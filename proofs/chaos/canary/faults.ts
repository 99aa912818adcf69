/** Conditions that keep owners apart, each taken out of a copy of the sources: the run must find every one missing. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Fault {
  file: string
  /** Must be there, else the fault proves nothing. */
  from: string
  to: string
}

export const FAULTS: Record<string, Fault> = {
  'destination-mode': {
    file: 'src/webhooks/destinations/destinations.ts',
    from: `'account_id = $1 and mode = $2 and deleted_at`,
    to: `'account_id = $1 and $2::text is not null and deleted_at`,
  },
  'destination-account': {
    file: 'src/webhooks/destinations/destinations.ts',
    from: `'account_id = $1 and mode = $2 and deleted_at`,
    to: `'$1::text is not null and mode = $2 and deleted_at`,
  },
  'event-mode': {
    file: 'src/webhooks/publish/publish.ts',
    from: "if (mode !== event.mode && !(event.alsoLive && mode === 'live')) return false",
    to: '',
  },
  'listener-account': {
    file: 'src/webhooks/listen/listeners.ts',
    from: 'where account_id = $1 and mode = $2 and id = $3 and listens_until > $4 and deleted_at is null returning id',
    to: 'where $1::text is not null and mode = $2 and id = $3 and listens_until > $4 and deleted_at is null returning id',
  },
  'idempotency-mode': {
    file: 'src/entry/http/idempotency.ts',
    from: "return mode === 'test' ? `test ${key}` : key",
    to: 'return mode && key',
  },
  'ledger-mode': {
    file: 'src/credits/ledger.ts',
    from: "if (page.mode === 'test') return { entries: [], hasMore: false }",
    to: '',
  },
  'job-account': {
    file: 'src/resolution/request/job-store.ts',
    from: "'$3::text is null' : 'account_id = $3'",
    to: "'$3::text is null' : '$3::text is not null'",
  },
  'test-signal-account': {
    file: 'src/signals/signals.ts',
    from: 'and ($4::text is null or source_reference = $4)',
    to: 'and ($4::text is null or source_reference is not null)',
  },
  'bulk-account': {
    file: 'src/bulk/bulk.ts',
    from: 'where account_id = $1 and expires_at > $2',
    to: 'where $1::text is not null and expires_at > $2',
  },
  'watchlist-mode': {
    file: 'src/signals/watch/watch-entries.ts',
    from: 'where account_id = $1 and mode = $2)',
    to: "where account_id = $1 and $2::text is not null and mode = 'live')",
  },
  'file-account': {
    file: 'src/bulk/stored-files.ts',
    from: 'where id = $1 and account_id = $2 and expires_at > $3',
    to: 'where id = $1 and $2::text is not null and expires_at > $3',
  },
  'list-account': {
    file: 'src/signals/lists/lists.ts',
    from: 'where account_id = $1 and mode = $2 and company_list.id = $3 and not is_default',
    to: 'where $1::text is not null and mode = $2 and company_list.id = $3 and not is_default',
  },
  'list-mode': {
    file: 'src/signals/lists/lists.ts',
    from: 'where watchlist.account_id = $1 and watchlist.mode = $2',
    to: 'where watchlist.account_id = $1 and $2::text is not null',
  },
  'view-account': {
    file: 'src/accounts/saved-views.ts',
    from: 'from saved_view where account_id = $1 order by',
    to: 'from saved_view where $1::text is not null order by',
  },
}

/** A folder with everything of this one, the sources changed by the fault. */
export function plantFault(name: string): Disposable & { root: string } {
  const fault = Object.hasOwn(FAULTS, name) ? FAULTS[name] : undefined
  if (!fault) throw new Error(`there is no fault ${name}; there are ${Object.keys(FAULTS).join(', ')}`)
  const here = join(import.meta.dirname, '../../..')
  const root = mkdtempSync(join(tmpdir(), 'nameplate-canary-'))
  for (const entry of readdirSync(here)) {
    if (entry === 'src') cpSync(join(here, entry), join(root, entry), { recursive: true })
    else if (!entry.startsWith('.git')) symlinkSync(join(here, entry), join(root, entry))
  }
  const path = join(root, fault.file)
  const source = readFileSync(path, 'utf8')
  if (!source.includes(fault.from))
    throw new Error(`${fault.file} has changed: the fault ${name} has nothing to change`)
  writeFileSync(path, source.replaceAll(fault.from, fault.to))
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}
