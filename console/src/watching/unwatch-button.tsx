import { ConfirmButton } from '../ui/confirm.tsx'
import { useUnwatch } from './watchlist.ts'

/** Asks first, because signals removed from the feed do not return when the company is watched again. */
export function UnwatchButton({ company, small = false, onDone }: UnwatchButtonProps) {
  return (
    <ConfirmButton
      text="Stop watching"
      look="quiet"
      small={small}
      aria-label={`Stop watching ${company.name}`}
      title={`Stop watching ${company.name}?`}
      action="Stop watching"
      isFinal
      otherwise="Keep watching"
      change={useUnwatch(company, onDone)}
    >
      <p>
        Its signals disappear from your feed. They do not come back if you watch it again. The company’s page still
        shows them.
      </p>
    </ConfirmButton>
  )
}

interface UnwatchButtonProps {
  company: { number: string; name: string }
  small?: boolean
  onDone?: () => void
}
