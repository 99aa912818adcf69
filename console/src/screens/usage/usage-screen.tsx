import { useAccount } from '../../account.ts'
import type { Account } from '../../api/bodies.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Facts, ScreenHead } from '../../ui/parts.tsx'
import { showDay, showNumber, showWord } from '../../ui/words.ts'
import '../../styles/usage.css'
import { Ledger } from './ledger.tsx'
import { UsageByDay } from './usage-by-day.tsx'

export function UsageScreen() {
  const account = useAccount()
  return (
    <div className="stack">
      <ScreenHead title="Usage">
        What you asked, what it cost and what is left. A matched domain or a verified web site costs one credit; every
        other answer is free.
      </ScreenHead>
      <Card title="Credits">
        <Loaded query={account} what="your credits">
          {(body) => <Credits account={body} />}
        </Loaded>
      </Card>
      <UsageByDay />
      <Ledger />
    </div>
  )
}

function Credits({ account: { credits, subscription } }: { account: Account }) {
  const { plan, monthly_credits: monthly, renews_on: renewsOn } = subscription
  return (
    <div className="figures">
      <Facts
        facts={[
          ['To spend', <strong className="figure">{showNumber(credits.available)}</strong>],
          ['Balance', showNumber(credits.balance)],
          ['Set aside', showNumber(credits.held)],
          ['Plan', monthly === 0 ? showWord(plan) : `${showWord(plan)}, ${showNumber(monthly)} credits a month`],
          ['Next credits', renewsOn === null ? 'none by plan' : showDay(renewsOn)],
        ]}
      />
    </div>
  )
}
