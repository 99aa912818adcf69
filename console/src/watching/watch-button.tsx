import { useState } from 'react'
import { Badge, Button, Problem } from '../ui/parts.tsx'
import { UnwatchDialog } from './unwatch-dialog.tsx'
import { useWatch, useWatchedNumbers } from './watchlist.ts'

/** Starts or stops watching a company, free of charge. */
export function WatchButton({ company, small = false }: WatchButtonProps) {
  const { data } = useWatchedNumbers()
  const [isAsking, setAsking] = useState(false)
  const watch = useWatch()
  // A very long list is not loaded completely, so the response decides as well.
  const isWatched = watch.isSuccess || (data?.numbers.includes(company.number) ?? false)
  return (
    <>
      {isWatched ? (
        <>
          {!small && <Badge tone="good">Watched</Badge>}
          <Button
            look="quiet"
            small={small}
            aria-label={`Stop watching ${company.name}`}
            onClick={() => setAsking(true)}
          >
            Stop watching
          </Button>
        </>
      ) : (
        <Button small={small} busy={watch.isPending} onClick={() => watch.mutate(company.number)}>
          Watch the company
        </Button>
      )}
      {isAsking && <UnwatchDialog company={company} onDone={watch.reset} onClose={() => setAsking(false)} />}
      {watch.isError && <Problem error={watch.error} />}
    </>
  )
}

interface WatchButtonProps {
  company: { number: string; name: string }
  small?: boolean
}
