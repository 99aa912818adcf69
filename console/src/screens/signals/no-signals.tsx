import { Link } from 'wouter'
import { useAccount, useEnvironment } from '../../account.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Button, Empty } from '../../ui/parts.tsx'
import { plural } from '../../ui/words.ts'
import { SIGNAL_WORDS, type SignalType } from '../../watching/signal-words.ts'
import type { SignalFilter } from './signal-filters.tsx'

/** Explains one of four reasons for an empty feed, with the next step for each. */
export function NoSignals({ filter, isSearching, onShowAll }: NoSignalsProps) {
  const account = useAccount()
  const { type, ...others } = filter
  const isKnown = type !== undefined && type in SIGNAL_WORDS
  return (
    <Loaded query={account} what="your watchlist">
      {({ watchlist }) => {
        if (watchlist.used === 0) return <NothingWatched />
        if (Object.keys(others).length > 0) return <NoneFits isSearching={isSearching} onShowAll={onShowAll} />
        return isKnown ? (
          <NoneOfType type={type as SignalType} onShowAll={onShowAll} />
        ) : (
          <NothingHappened watched={watchlist.used} />
        )
      }}
    </Loaded>
  )
}

interface NoSignalsProps {
  filter: SignalFilter
  /** Older parts of the feed are not looked at yet. */
  isSearching: boolean
  onShowAll: () => void
}

function NoneFits({ isSearching, onShowAll }: { isSearching: boolean; onShowAll: () => void }) {
  return (
    <Empty
      title={isSearching ? 'No signal fits so far' : 'No signal fits'}
      action={
        <Button look="quiet" onClick={onShowAll}>
          Show all
        </Button>
      }
    >
      {isSearching ? 'We look through older signals.' : 'No signal of the companies you watch passes these filters.'}
    </Empty>
  )
}

function NothingWatched() {
  return (
    <Empty
      title="You watch no companies yet"
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
      Watch a company to see its important changes here: status, directors, late filings, charges, insolvency, a new
      address. Watching is free.
    </Empty>
  )
}

function NoneOfType({ type, onShowAll }: { type: SignalType; onShowAll: () => void }) {
  return (
    <Empty
      title="No signals of this type"
      action={
        <Button look="quiet" onClick={onShowAll}>
          Show all
        </Button>
      }
    >
      No company you watch has a signal “{SIGNAL_WORDS[type]}” since you started to watch it.
    </Empty>
  )
}

function NothingHappened({ watched }: { watched: number }) {
  const { data } = useEnvironment()
  const outside = data?.development_pages.find(({ name }) => name === 'Outside world')
  return (
    <Empty
      title="No signals yet"
      action={
        outside ? (
          <a className="button" href={outside.url} target="_blank" rel="noreferrer">
            Change something in the simulated world
          </a>
        ) : (
          <Link className="button quiet" href="/watchlist">
            Open your watchlist
          </Link>
        )
      }
    >
      You watch {plural(watched, 'company', 'companies')}. New changes appear here automatically. Earlier changes are on
      each company’s page.{' '}
      {outside && 'In development you can change the simulated register and see the signal arrive.'}
    </Empty>
  )
}
