import { useMutation } from '@tanstack/react-query'
import type { EvidenceBundle, HistoryItem, SealedRecord } from '../../api/bodies.ts'
import { useChange } from '../../api/change.ts'
import { callApi, fetchFile } from '../../api/client.ts'
import { Button, Card, Problem } from '../../ui/parts.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useToast } from '../../ui/toast.tsx'
import { showMoment } from '../../ui/words.ts'
import { itemKey } from './history.ts'

/** The records that the account made of an answer, and a button that makes one. */
export function SealedRecords({ item }: { item: HistoryItem }) {
  const { resolution_id: id, records, domain } = item
  return (
    <Card title="Sealed records" aside={<Seal id={id} records={records} />} stacked>
      {records.length === 0 ? (
        <p className="soft">
          Not sealed yet. A sealed record shows years later what you knew on the day of your decision: the answer, its
          quotes, your decision, and the company’s office, officers and owners as the register has them at that moment.
          So seal it on that day. It is free.
        </p>
      ) : (
        <ul className="list close">
          {records.map((record) => (
            <Line key={record.id} record={record} domain={domain} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Seal({ id, records }: { id: string; records: SealedRecord[] }) {
  const showToast = useToast()
  const seal = useChange(
    { queryKey: itemKey(id) },
    () => callApi<EvidenceBundle>('POST', `/v1/resolutions/${encodeURIComponent(id)}/evidence/record`),
    (made) => {
      const same = records.find((record) => record.id === made.id)
      showToast(same ? `Nothing changed since the record of ${showMoment(same.made_at)}.` : 'Sealed.')
    },
  )
  return (
    <div>
      <Button look="quiet" small busy={seal.isPending} onClick={() => seal.mutate()}>
        Seal it now
      </Button>
      {seal.isError && <Problem error={seal.error} />}
    </div>
  )
}

function Line({ record: { id, made_at: madeAt, url, verify_url: verifyUrl }, domain }: LineProps) {
  const bundle = useMutation({
    mutationFn: async () => {
      const file = await fetchFile(url, { headers: { accept: 'application/json' } })
      saveFile(file, `${domain}-evidence-${madeAt.slice(0, 10)}.json`)
    },
  })
  return (
    <li>
      <div className="row spread">
        <span>
          Sealed {showMoment(madeAt)} <code className="small">{id}</code>
        </span>
        <span className="row">
          <a className="button quiet small" href={`/evidence/${id}/document`} target="_blank" rel="noreferrer">
            Open the PDF
          </a>
          <Button look="quiet" small busy={bundle.isPending} onClick={() => bundle.mutate()}>
            Bundle (JSON)
          </Button>
          <a className="button quiet small" href={verifyUrl} target="_blank" rel="noreferrer">
            Verify
          </a>
        </span>
      </div>
      {bundle.isError && <Problem error={bundle.error} />}
    </li>
  )
}

interface LineProps {
  record: SealedRecord
  domain: string
}
