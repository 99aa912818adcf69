import { useMutation } from '@tanstack/react-query'
import { formatCsvLine } from '../../../../src/lib/text/csv-writer.ts'
import type { Ledger, LedgerEntry } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Button, Problem } from '../../ui/parts.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useToast } from '../../ui/toast.tsx'
import { plural } from '../../ui/words.ts'
import { changeOf } from './ledger-words.ts'

const PAGES_MAX = 100
const PAGE_ENTRIES = 100
const COLUMNS = [
  'time',
  'kind',
  'reason',
  'subject',
  'reference',
  'amount',
  'change',
  'balance_after',
  'held_after',
  'resolution_url',
] as const

/** Downloads the ledger as CSV, newest first. */
export function LedgerDownload() {
  const showToast = useToast()
  const download = useMutation({
    mutationFn: async () => {
      const { entries, isWhole } = await readLedger()
      saveFile(new Blob([toCsv(entries)], { type: 'text/csv' }), 'nameplate-ledger.csv')
      return { count: entries.length, isWhole }
    },
    onSuccess: ({ count, isWhole }) =>
      showToast(`Downloaded ${plural(count, 'entry', 'entries')}.${isWhole ? '' : ' Use the API for older ones.'}`),
  })
  return (
    <div className="stack-small">
      <Button look="quiet" small busy={download.isPending} onClick={() => download.mutate()}>
        Download as CSV
      </Button>
      {download.isError && <Problem error={download.error} />}
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
    const {
      created_at: time,
      kind,
      reason,
      subject,
      reference,
      amount,
      balance_after: balance,
      held_after: held,
      resolution_url: url,
    } = entry
    return formatCsvLine([time, kind, reason, subject, reference, amount, changeOf(entry), balance, held, url])
  })
  return [formatCsvLine(COLUMNS), ...rows].join('')
}
