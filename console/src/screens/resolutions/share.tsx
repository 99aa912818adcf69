import { useState } from 'react'
import type { NewShareLink, ShareLink } from '../../api/bodies.ts'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { Choice, Form } from '../../ui/fields.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Badge, Button, Card, Problem } from '../../ui/parts.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { useToast } from '../../ui/toast.tsx'
import { showMoment } from '../../ui/words.ts'
import { useMakeLink, useRevokeLink, useShareLinks } from './history.ts'

const PERIODS = [
  ['1', 'One day'],
  ['7', 'One week'],
  ['14', 'Two weeks'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const

/** Makes, lists and revokes links that show the evidence to people without an account. */
export function Share({ id }: { id: string }) {
  const [days, setDays] = useState('14')
  const [made, setMade] = useState<NewShareLink | null>(null)
  const make = useMakeLink(id, setMade)
  const links = useShareLinks(id)
  return (
    <Card title="Share" stacked>
      <p className="soft">
        A link shows the evidence of this answer to everyone who has it, without an account and without your decision.
        It shows nothing else.
      </p>
      {made && (
        <ShownOnce
          title="Your share link"
          secret={made.url}
          what="the share link"
          warning="Copy it now. We store a hash of it alone and cannot show it again."
          onKept={() => setMade(null)}
        >
          <p className="small">It opens until {showMoment(made.expires_at)}.</p>
        </ShownOnce>
      )}
      <Form className="row share-form" onSubmit={() => make.mutate(Number(days))}>
        <Choice label="It opens for" value={days} onChange={setDays} options={PERIODS} />
        <Button type="submit" look="quiet" busy={make.isPending}>
          Make a link
        </Button>
      </Form>
      {make.isError && <Problem error={make.error} />}
      <Loaded query={links} what="the share links">
        {({ data }) => (data.length === 0 ? null : <Links links={data} />)}
      </Loaded>
    </Card>
  )
}

function Links({ links }: { links: ShareLink[] }) {
  return (
    <ul className="list">
      {links.map((link) => (
        <Line key={link.id} link={link} />
      ))}
    </ul>
  )
}

function Line({ link }: { link: ShareLink }) {
  const showToast = useToast()
  const revoke = useRevokeLink(link)
  return (
    <li className="row spread">
      <span>
        Made {showMoment(link.made_at)}. {describeEnd(link)}
      </span>
      {link.open ? (
        <ConfirmButton
          text="Revoke"
          small
          look="quiet"
          title="Revoke this link?"
          action="Revoke the link"
          isFinal
          change={{
            ...revoke,
            mutate: (_nothing, { onSuccess }) =>
              revoke.mutate(undefined, {
                onSuccess: () => {
                  onSuccess()
                  showToast('Link revoked.')
                },
              }),
          }}
        >
          <p>Its address shows “page not found” from then on.</p>
        </ConfirmButton>
      ) : (
        <Badge>Ended</Badge>
      )}
    </li>
  )
}

function describeEnd({ open, expires_at: expiresAt, revoked_at: revokedAt }: ShareLink): string {
  if (open) return `Opens until ${showMoment(expiresAt)}.`
  return revokedAt === null ? `Over since ${showMoment(expiresAt)}.` : `Revoked ${showMoment(revokedAt)}.`
}
