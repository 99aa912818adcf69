import { useInfiniteQuery } from '@tanstack/react-query'
import type { CompanySignals } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Paged } from '../../ui/paged.tsx'
import { SignalLine } from '../../watching/signal-line.tsx'

/** Lists the signals of a company, newest first, also when it is not watched. */
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
      <Paged query={signals} what="the changes" more="Earlier changes">
        {(items) =>
          items.length === 0 ? (
            <p className="soft">
              No changes recorded yet. Watch the company to get its changes in Signals and by webhook.
            </p>
          ) : (
            <ol className="timeline">
              {items.map((signal) => (
                <SignalLine key={signal.id} signal={signal} />
              ))}
            </ol>
          )
        }
      </Paged>
    </div>
  )
}
