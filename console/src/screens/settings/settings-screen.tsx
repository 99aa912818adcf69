import { useAccount } from '../../account.ts'
import type { Account } from '../../api/bodies.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Badge, Card, Facts, ScreenHead } from '../../ui/parts.tsx'
import { showDay, showNumber, showWord } from '../../ui/words.ts'
import { DailyDigest } from './daily-digest.tsx'
import { Password } from './password.tsx'
import { ThemeChoice } from './theme-choice.tsx'

export function SettingsScreen() {
  const account = useAccount()
  return (
    <div className="stack">
      <ScreenHead title="Settings">Your account, the appearance of this console, and e-mail notifications.</ScreenHead>
      <Card title="Account">
        <Loaded query={account} what="your account">
          {(body) => <AccountFacts account={body} />}
        </Loaded>
      </Card>
      <div className="columns">
        <ThemeChoice />
        <DailyDigest />
      </div>
      <Password email={account.data?.email} />
      <HelpLinks />
    </div>
  )
}

function AccountFacts({ account }: { account: Account }) {
  const { plan, monthly_credits: monthly, renews_on: renewsOn } = account.subscription
  const { used, limit } = account.watchlist
  return (
    <Facts
      facts={[
        ['E-mail address', account.email],
        ['Verified', account.email_verified ? <Badge tone="good">Yes</Badge> : <Badge tone="warn">Not yet</Badge>],
        ['Account', <code>{account.account_id}</code>],
        ['Created', showDay(account.created_at)],
        ['Plan', monthly === 0 ? showWord(plan) : `${showWord(plan)}, ${showNumber(monthly)} credits a month`],
        ['Next credits', renewsOn === null ? 'none' : showDay(renewsOn)],
        ['Watchlist', `${showNumber(used)} of ${showNumber(limit)} companies`],
      ]}
    />
  )
}

function HelpLinks() {
  return (
    <Card title="Documentation">
      <ul className="list">
        <li>
          <a href="/docs/api">API reference</a>: every endpoint with its fields, responses and errors
        </li>
        <li>
          <a href="/docs/errors">Errors</a>: what each code means and what to do
        </li>
        <li>
          <a href="/bot">Our crawler</a>: how we read web sites
        </li>
      </ul>
    </Card>
  )
}
