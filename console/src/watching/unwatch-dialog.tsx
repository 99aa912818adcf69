import { Dialog } from '../ui/dialog.tsx'
import { Button, Problem } from '../ui/parts.tsx'
import { useUnwatch } from './watchlist.ts'

/** Asks first, because the feed does not get back what it told of a company when that is watched again. */
export function UnwatchDialog({ company, onDone, onClose }: UnwatchDialogProps) {
  const unwatch = useUnwatch()
  const finish = () => {
    onDone?.()
    onClose()
  }
  return (
    <Dialog title={`Stop watching ${company.name}?`} onClose={onClose}>
      <p>
        Its signals leave your feed, and watching it again later does not bring them back. The company’s own history
        keeps them.
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
