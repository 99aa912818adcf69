/** Which e-mails a list sends: a digest each day or week, and one soon after a signal. None unless the account says so. */
import { type KeyMode, type Origin, recordAudit } from '../../accounts/index.ts'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import type { Db, Tx } from '../../lib/db/db.ts'
import { CADENCES } from '../digest/digest.ts'
import { findSigned, toSignedLink } from '../digest/notifications.ts'
import { SEVERITIES } from '../signals.ts'

export const LIST_DIGESTS = ['off', ...CADENCES] as const
/** The lowest severity of a signal that is sent at once. */
export const INSTANT_EMAILS = ['off', ...SEVERITIES] as const

export interface ListEmails {
  digest: (typeof LIST_DIGESTS)[number]
  instantEmail: (typeof INSTANT_EMAILS)[number]
}

export const NO_EMAILS: ListEmails = { digest: 'off', instantEmail: 'off' }

interface Change {
  key: number
  /** As everything outside knows the list. */
  id: string
  accountId: string
  mode: KeyMode
  origin: Origin
  emails: Partial<ListEmails>
}

/** A person who takes a change back loses nothing of the digest. */
const TAKEN_BACK_MINUTES = 15

/**
 * Stores the choice. A digest that is turned on begins with the signals from now on; one that changes from days to weeks or
 * back, or that was off for minutes, goes on where it was. A test key is refused: there are no e-mails about test signals.
 */
export async function changeEmails({ clock }: Pick<App, 'clock'>, tx: Tx, change: Change): Promise<void> {
  const { key, id, accountId, mode, origin } = change
  if (mode === 'test') {
    const message = 'must be the live key, or a session: there are no e-mails about test signals'
    throw new DomainError('invalid_request', `The request is not valid. X-API-Key: ${message}`, {
      errors: [{ field: 'X-API-Key', message }],
    })
  }
  const before = await readEmails(tx, key)
  const after = { ...before, ...change.emails }
  if (before.digest === after.digest && before.instantEmail === after.instantEmail) return
  const at = clock.now()
  await tx.query(
    `insert into list_email as email (list_key, watchlist_id, is_default, digest, instant_severity, digest_since, digest_through,
       digest_queued_through)
     select key, watchlist_id, is_default, $2, $3, $4::timestamptz, $4, $4 from company_list where key = $1
     on conflict (list_key) do update set digest = excluded.digest, instant_severity = excluded.instant_severity,
       digest_ended_at = case when excluded.digest <> 'off' then null when email.digest <> 'off' then $4
         else email.digest_ended_at end,
       (digest_since, digest_through, digest_queued_through) = (
         select email.digest_since, email.digest_through, email.digest_queued_through
         where email.digest <> 'off' or email.digest_ended_at > $4 - interval '${TAKEN_BACK_MINUTES} minutes'
         union all select $4, $4, $4 limit 1)`,
    [key, after.digest, after.instantEmail === 'off' ? null : after.instantEmail, at],
  )
  const facts = { details: { list_id: id }, before: toFacts(before), after: toFacts(after) }
  await recordAudit(tx, { at, accountId, action: 'list_emails_changed', origin, ...facts })
}

async function readEmails(tx: Tx, key: number): Promise<ListEmails> {
  const [row] = await tx.query<ListEmails>(
    `select digest, coalesce(instant_severity, 'off') as "instantEmail" from list_email where list_key = $1 for update`,
    [key],
  )
  return row ?? NO_EMAILS
}

/** As the audit log has it. */
function toFacts({ digest, instantEmail }: ListEmails) {
  return { digest, instant_email: instantEmail }
}

/** A list as its e-mails need it. */
export interface MailedList {
  /** As addresses know it. */
  id: string
  name: string
  accountId: string
  watchlistId: number
  unsubscribeLink: string
}

/** Returns a list whose e-mails are to be written; null when it is gone. */
export async function findMailedList(app: App, key: number): Promise<MailedList | null> {
  const [row] = await app.db.query<Omit<MailedList, 'unsubscribeLink'> & { ownId: string }>(
    `select case when list.is_default then 'default' else list.id end as id, list.id as "ownId", list.name,
       watchlist.account_id as "accountId", watchlist.id as "watchlistId"
     from company_list list join watchlist on watchlist.id = list.watchlist_id where list.key = $1`,
    [key],
  )
  if (!row) return null
  const { ownId, ...list } = row
  return { ...list, unsubscribeLink: toSignedLink(app, LIST, ownId).href }
}

const LIST = 'unsubscribe from the e-mails of a list'

/** Returns the id of the list of such a link, as it is stored; null when we did not make it. */
export function findListSubscriber(app: Pick<App, 'secrets'>, token: string): string | null {
  return findSigned(app, LIST, token)
}

/** Returns the name of a list by its stored id; null when it was deleted. */
export async function findListName(db: Db, ownId: string): Promise<string | null> {
  const [row] = await db.query<{ name: string }>('select name from company_list where id = $1', [ownId])
  return row?.name ?? null
}

/** Turns all e-mails of a list off for the holder of a link from one of them. False when the link is not one of ours. */
export async function unsubscribeList(app: App, token: string, origin: Origin): Promise<boolean> {
  const ownId = findListSubscriber(app, token)
  if (ownId === null) return false
  await app.db.transaction(async (tx) => {
    const [list] = await tx.query<{ key: number; id: string; accountId: string }>(
      `select list.key, case when list.is_default then 'default' else list.id end as id, watchlist.account_id as "accountId"
       from company_list list join watchlist on watchlist.id = list.watchlist_id where list.id = $1`,
      [ownId],
    )
    if (list) await changeEmails(app, tx, { ...list, mode: 'live', origin, emails: NO_EMAILS })
  })
  app.log.info({ event: 'list_emails.unsubscribed', list_id: ownId })
  return true
}
