import { randomBytes } from 'node:crypto'
import type { App } from '../app.ts'
import type { SigningSecrets } from './signature.ts'

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

/** What signs at this moment. */
export function revealSecrets({ secrets }: Pick<App, 'secrets'>, sealed: SealedSecrets, at: Date): SigningSecrets {
  const reveal = (text: string) => secrets.unseal(text, contextOf(sealed.id))
  const { previous_secret_sealed: previous, previous_secret_until: until } = sealed
  const signsStill = previous !== null && until !== null && until > at
  return { current: reveal(sealed.secret_sealed), previous: signsStill ? reveal(previous) : null }
}

function contextOf(destinationId: number): string {
  return `webhook_destination:${destinationId}`
}
