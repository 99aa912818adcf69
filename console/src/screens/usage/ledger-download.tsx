import { useMutation } from '@tanstack/react-query'
import { formatCsvLine } from '../../../../src/lib/text/csv-writer.ts'
import type { Ledger, LedgerEntry } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Button, Problem } from '../../ui/parts.tsx'
import { useSay } from '../../ui/said.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { plural } from '../../ui/words.ts'
import { changeOf } from './ledger-words.ts'

const PAGES_MAX = 100
const PAGE_ENTRIES = 100
const COLUMNS = ['time', 'kind', 'reason', 'reference', 'amount', 'change', 'balance_after', 'held_after'] as const

/** The ledger as a file for a spreadsheet, the newest first. */
export function LedgerDownload() {
  const say = useSay()
  const keep = useMutation({
    mutationFn: async () => {
      const { entries, isWhole } = await readLedger()
      saveFile(new Blob([toCsv(entries)], { type: 'text/csv' }), 'nameplate-ledger.csv')
      return { count: entries.length, isWhole }
    },
    onSuccess: ({ count, isWhole }) =>
      say(`${plural(count, 'entry', 'entries')} in your downloads${isWhole ? '.' : '; older ones are in the API.'}`),
  })
  return (
    <div className="stack-small">
      <Button look="quiet" small busy={keep.isPending} onClick={() => keep.mutate()}>
        Download as CSV
      </Button>
      {keep.isError && <Problem error={keep.error} />}
    </div>
  )
}

async function readLedger(): Promise<{ entries: LedgerEntry[]; isWhole: boolean }> {
  const entries: LedgerEntry[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await callApi<Ledger>('GET', '/v1/account/ledger', { query: { limit: PAGE_ENTRIES, cursor } })
    entries.push(...page.data)
    if (page.next_cursor === null) return { entries, isWhole: true }
    cursor = page.next_cursor
  }
  return { entries, isWhole: false }
}

function toCsv(entries: LedgerEntry[]): string {
  const rows = entries.map((entry) => {
    const { created_at: time, kind, reason, reference, amount, balance_after: balance, held_after: held } = entry
    return formatCsvLine([time, kind, reason, reference, amount, changeOf(entry), balance, held])
  })
  return [formatCsvLine(COLUMNS), ...rows].join('')
}
