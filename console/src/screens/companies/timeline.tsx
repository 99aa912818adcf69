import { useInfiniteQuery } from '@tanstack/react-query'
import type { CompanySignals } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Paged } from '../../ui/paged.tsx'
import { SignalLine } from '../../watching/signal-line.tsx'

/** What became of a company, newest first, whether it is watched or not. */
export function Timeline({ companyNumber }: { companyNumber: string }) {
  const signals = useInfiniteQuery({
    queryKey: ['company', companyNumber, 'signals'],
    queryFn: ({ pageParam, signal }) =>
      callApi<CompanySignals>('GET', `/v1/companies/${companyNumber}/signals`, {
        query: { cursor: pageParam, limit: 10 },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  })
  return (
    <div className="stack-small">
      <Paged query={signals} what="what changed" more="Earlier changes">
        {(told) =>
          told.length === 0 ? (
            <p className="soft">
              Nothing since we know this company. Watch it, and what changes comes to Signals and to your webhooks.
            </p>
          ) : (
            <ol className="timeline">
              {told.map((signal) => (
                <SignalLine key={signal.id} signal={signal} />
              ))}
            </ol>
          )
        }
      </Paged>
    </div>
  )
}
