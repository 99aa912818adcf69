import { Link } from 'wouter'
import { useAccount, useSurroundings } from '../../account.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Button, Empty } from '../../ui/parts.tsx'
import { plural } from '../../ui/words.ts'
import { SIGNAL_WORDS, type SignalType } from '../../watching/signal-words.ts'

/** An empty feed has three reasons, and each has another next step. */
export function NoSignals({ type, onShowAll }: { type: SignalType | null; onShowAll: () => void }) {
  const account = useAccount()
  return (
    <Loaded query={account} what="your watchlist">
      {({ watchlist }) => {
        if (watchlist.used === 0) return <NobodyWatched />
        return type ? <NoneOfType type={type} onShowAll={onShowAll} /> : <NothingHappened watched={watchlist.used} />
      }}
    </Loaded>
  )
}

function NobodyWatched() {
  return (
    <Empty
      title="You watch nobody yet"
      action={
        <div className="row">
          <Link className="button" href="/companies">
            Find a company to watch
          </Link>
          <Link className="button quiet" href="/">
            Resolve a domain
          </Link>
        </div>
      }
    >
      Watch a company, and each change in the register that matters is told here: status, directors, late filings,
      charges, insolvency, a move. Watching is free.
    </Empty>
  )
}

function NoneOfType({ type, onShowAll }: { type: SignalType; onShowAll: () => void }) {
  return (
    <Empty
      title="None of this kind"
      action={
        <Button look="quiet" onClick={onShowAll}>
          Show everything
        </Button>
      }
    >
      “{SIGNAL_WORDS[type]}” has not happened to the companies you watch since you watch them.
    </Empty>
  )
}

function NothingHappened({ watched }: { watched: number }) {
  const { data } = useSurroundings()
  const outside = data?.development_pages.find(({ name }) => name === 'Outside world')
  return (
    <Empty
      title="Nothing has happened yet"
      action={
        outside ? (
          <a className="button" href={outside.url} target="_blank" rel="noreferrer">
            Make something happen in the outside world
          </a>
        ) : (
          <Link className="button quiet" href="/watchlist">
            See whom you watch
          </Link>
        )
      }
    >
      {plural(watched, 'company is', 'companies are')} watched. What was before is in each company’s own history; what
      changes from now on appears here by itself.{' '}
      {outside && 'On this development machine you can change the register yourself and see the signal arrive.'}
    </Empty>
  )
}
