import { NameplateError } from './client.ts'

/** Returns what a command prints when the service refuses or cannot be reached: what happened and what to do. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof NameplateError)) return error instanceof Error ? error.message : String(error)
  const fields = error.fields.map(({ field, message }) => `\n  ${field} ${message}`).join('')
  const request = error.requestId ? `\n(${error.code}, request ${error.requestId})` : ''
  return `${error.detail}${findHint(error)}${fields}${request}`
}

function findHint({ status, code }: NameplateError): string {
  if (status === 401) return ' The key comes from --api-key, NAMEPLATE_API_KEY or your login.'
  if (code === 'connection_failed') return ' Is it running? The address comes from NAMEPLATE_API_URL or your login.'
  return code === 'unexpected_answer' && status < 500 ? ' Is this the address of the API?' : ''
}
