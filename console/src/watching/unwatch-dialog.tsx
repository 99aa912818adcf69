import { Dialog } from '../ui/dialog.tsx'
import { Button, Problem } from '../ui/parts.tsx'
import { useUnwatch } from './watchlist.ts'

/** Asks first, because signals removed from the feed do not return when the company is watched again. */
export function UnwatchDialog({ company, onDone, onClose }: UnwatchDialogProps) {
  const unwatch = useUnwatch()
  const finish = () => {
    onDone?.()
    onClose()
  }
  return (
    <Dialog title={`Stop watching ${company.name}?`} onClose={onClose}>
      <p>
        Its signals disappear from your feed. They do not come back if you watch it again. The company’s page still
        shows them.
      </p>
      {unwatch.isError && <Problem error={unwatch.error} />}
      <div className="row">
        <Button look="danger" busy={unwatch.isPending} onClick={() => unwatch.mutate(company, { onSuccess: finish })}>
          Stop watching
        </Button>
        <Button look="quiet" onClick={onClose}>
          Keep watching
        </Button>
      </div>
    </Dialog>
  )
}

interface UnwatchDialogProps {
  company: { number: string; name: string }
  onDone?: () => void
  onClose: () => void
}
