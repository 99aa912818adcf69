import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../../account.ts'
import type { Account, Notifications } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Badge, Card, Facts, Problem, ScreenHead } from '../../ui/parts.tsx'
import { useSectionOfAddress } from '../../ui/section-of-address.ts'
import { Segments } from '../../ui/segments.tsx'
import { readTheme, setTheme, type Theme } from '../../ui/theme.ts'
import { useToast } from '../../ui/toast.tsx'
import { showDay, showNumber, showWord } from '../../ui/words.ts'
import { EmailsOfLists } from './emails-of-lists.tsx'
import { Password } from './password.tsx'
import { SecondReader } from './second-reader.tsx'

export function SettingsScreen() {
  const account = useAccount()
  useSectionOfAddress()
  return (
    <div className="stack">
      <ScreenHead title="Settings">
        Your account, the appearance of this console, e-mail notifications and the second reader.
      </ScreenHead>
      <Card title="Account">
        <Loaded query={account} what="your account">
          {(body) => <AccountFacts account={body} />}
        </Loaded>
      </Card>
      <div className="columns">
        <ThemeChoice />
        <DailyDigest />
      </div>
      <EmailsOfLists />
      <SecondReader />
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
      rows
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

const PATH = '/v1/account/notifications'
const KEY = ['notifications']

function DailyDigest() {
  const notifications = useQuery({ queryKey: KEY, queryFn: () => callApi<Notifications>('GET', PATH) })
  return (
    <Card id="daily-digest" title="Daily digest">
      <Loaded query={notifications} what="your notifications">
        {(body) => <DigestChoice notifications={body} />}
      </Loaded>
    </Card>
  )
}

function DigestChoice({ notifications }: { notifications: Notifications }) {
  const queries = useQueryClient()
  const showToast = useToast()
  const change = useMutation({
    mutationFn: (dailyDigest: boolean) =>
      callApi<Notifications>('PATCH', PATH, { body: { daily_digest: dailyDigest } }),
    onSuccess: (now) => {
      queries.setQueryData(KEY, now)
      showToast(now.daily_digest ? `We send the digest to ${now.email}.` : 'The digest is off.')
    },
  })
  const isOn = change.isPending ? change.variables : notifications.daily_digest
  return (
    <div className="stack-small">
      <label className="row">
        <input
          type="checkbox"
          checked={isOn}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.target.checked)}
        />
        <span>E-mail me the changes once a day</span>
      </label>
      <p className="soft">
        One e-mail to {notifications.email} after 7:00 London time, on days when a company you watch has changed. It
        leaves out companies on a list with a daily digest of its own.
      </p>
      {change.isError && <Problem error={change.error} />}
    </div>
  )
}

const THEMES = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

function ThemeChoice() {
  const [theme, choose] = useState<Theme>(readTheme)
  const change = (next: Theme) => {
    setTheme(next)
    choose(next)
  }
  return (
    <Card id="appearance" title="Appearance" stacked>
      <p className="soft">In this browser only.</p>
      <div>
        <Segments label="Theme" choices={THEMES} value={theme} onChange={change} />
      </div>
    </Card>
  )
}
