import { useAccount } from '../../account.ts'
import type { Account } from '../../api/bodies.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Facts, ScreenHead } from '../../ui/parts.tsx'
import { showDay, showNumber, showWord } from '../../ui/words.ts'
import './usage.css'
import { Ledger } from './ledger.tsx'
import { UsageByDay } from './usage-by-day.tsx'

export function UsageScreen() {
  const account = useAccount()
  return (
    <div className="stack">
      <ScreenHead title="Usage">
        Your requests, their cost and your credits. You pay one credit per match: a matched domain or a verified web
        site. Everything else is free.
      </ScreenHead>
      <Card title="Credits">
        <Loaded query={account} what="your credits">
          {(body) => <Credits account={body} />}
        </Loaded>
      </Card>
      <UsageByDay>
        <Ledger />
      </UsageByDay>
    </div>
  )
}

function Credits({ account: { credits, subscription } }: { account: Account }) {
  const { plan, monthly_credits: monthly, renews_on: renewsOn } = subscription
  return (
    <div className="figures">
      <Facts
        facts={[
          ['Available', <strong className="figure">{showNumber(credits.available)}</strong>],
          ['Balance', showNumber(credits.balance)],
          ['Reserved', showNumber(credits.held)],
          ['Plan', monthly === 0 ? showWord(plan) : `${showWord(plan)}, ${showNumber(monthly)} credits a month`],
          ['Next credits', renewsOn === null ? 'none' : showDay(renewsOn)],
        ]}
      />
    </div>
  )
}
