import { Badge, Button, Problem } from '../ui/parts.tsx'
import { UnwatchButton } from './unwatch-button.tsx'
import { useWatch, useWatchedNumbers } from './watchlist.ts'

/** Starts or stops watching a company, free of charge. */
export function WatchButton({ company, small = false }: WatchButtonProps) {
  const { data } = useWatchedNumbers()
  const watch = useWatch()
  // A very long list is not loaded completely, so the response decides as well.
  const isWatched = watch.isSuccess || (data?.numbers.includes(company.number) ?? false)
  return (
    <>
      {isWatched ? (
        <>
          {!small && <Badge tone="good">Watched</Badge>}
          <UnwatchButton company={company} small={small} onDone={watch.reset} />
        </>
      ) : (
        <Button small={small} busy={watch.isPending} onClick={() => watch.mutate(company.number)}>
          Watch the company
        </Button>
      )}
      {watch.isError && <Problem error={watch.error} />}
    </>
  )
}

interface WatchButtonProps {
  company: { number: string; name: string }
  small?: boolean
}
