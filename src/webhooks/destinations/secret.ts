import { randomBytes } from 'node:crypto'
import type { App } from '../../app.ts'
import type { SealedColumn } from '../../lib/db/reseal.ts'
import { type SigningKeys, toSigningKeys } from '../deliver/signature.ts'

export interface SealedSecrets {
  id: number
  secret_sealed: string
  previous_secret_sealed: string | null
  previous_secret_until: Date | null
}

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

export function sealSecret({ secrets }: Pick<App, 'secrets'>, destinationId: number, secret: string): string {
  return secrets.seal(secret, contextOf(destinationId))
}

/** Returns the keys that sign at this moment. */
export function readSigningKeys({ secrets }: Pick<App, 'secrets'>, sealed: SealedSecrets, at: Date): SigningKeys {
  const reveal = (text: string) => secrets.unseal(text, contextOf(sealed.id))
  const { previous_secret_sealed: previous, previous_secret_until: until } = sealed
  const signsStill = previous !== null && until !== null && until > at
  return toSigningKeys({ current: reveal(sealed.secret_sealed), previous: signsStill ? reveal(previous) : null })
}

function contextOf(destinationId: number): string {
  return `webhook_destination:${destinationId}`
}

export const SEALED_WEBHOOK_SECRET = toSealedColumn('secret_sealed')
export const SEALED_PREVIOUS_WEBHOOK_SECRET = toSealedColumn('previous_secret_sealed')

function toSealedColumn(column: 'secret_sealed' | 'previous_secret_sealed'): SealedColumn {
  return {
    name: `webhook_destination.${column}`,
    start: ['0'],
    async listAfter(db, [after], limit) {
      const rows = await db.query<{ id: number; sealed: string | null }>(
        `select id, ${column} as sealed from webhook_destination where id > $1 order by id limit $2`,
        [after, limit],
      )
      return rows.map(({ id, sealed }) => ({ key: [String(id)], sealed, context: contextOf(id) }))
    },
    async replace(db, { key: [id], sealed }, resealed) {
      const replaced = await db.query(
        `update webhook_destination set ${column} = $3 where id = $1 and ${column} = $2 returning id`,
        [id, sealed, resealed],
      )
      return replaced.length > 0
    },
  }
}
