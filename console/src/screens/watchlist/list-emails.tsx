import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useAccount } from '../../account.ts'
import type { CompanyList } from '../../api/bodies.ts'
import { Choice } from '../../ui/fields.tsx'
import { Card, Problem } from '../../ui/parts.tsx'
import { EMAILS_HASH, useChangeEmails } from '../../watching/lists.ts'

const DIGESTS = [
  ['off', 'Off'],
  ['daily', 'Every day'],
  ['weekly', 'Every Monday'],
] as const

const INSTANT = [
  ['off', 'Off'],
  ['warning', 'Warnings'],
  ['notice', 'Notices and warnings'],
  ['info', 'All signals'],
] as const

/** Which e-mails a list sends. A choice is saved at once. */
export function ListEmailsCard({ list }: { list: CompanyList }) {
  const { data: account } = useAccount()
  const { change, undo } = useChangeEmails(list)
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (window.location.hash === EMAILS_HASH) card.current?.scrollIntoView()
  }, [])
  const isBusy = change.isPending || undo.isPending
  const shown = change.isPending ? { ...list, ...change.variables } : list
  return (
    <div ref={card} className="list-emails">
      <Card title="E-mails of this list" stacked>
        <p>
          We e-mail the signals of the companies on “{list.name}”{account ? ` to ${account.email}` : ''}. Every e-mail
          has a link that stops those of this list.
        </p>
        <div className="list-emails-choices">
          <Choice
            label="Digest"
            hint="All signals in one e-mail, after 7:00 London time. On Mondays it has the week before."
            value={shown.digest}
            options={DIGESTS}
            disabled={isBusy}
            onChange={(digest) => change.mutate({ digest })}
          />
          <Choice
            label="Instant e-mail"
            hint="Within minutes. What comes together is in one e-mail, and a list sends at most 12 an hour."
            value={shown.instant_email}
            options={INSTANT}
            disabled={isBusy}
            onChange={(instant) => change.mutate({ instant_email: instant })}
          />
        </div>
        {change.isError && <Problem error={change.error} />}
        {undo.isError && <Problem error={undo.error} />}
        <p className="small soft">
          The daily digest of your account leaves out companies on a list with a daily digest of its own. A digest also
          has what came by instant e-mail. <Link href="/settings">All e-mail settings</Link>
        </p>
      </Card>
    </div>
  )
}
