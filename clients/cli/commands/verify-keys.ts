/** The keys that a file is checked with: those of your own service, or those that you give. The file itself never names them. */
import { readFileSync } from 'node:fs'
import { findServiceAddress } from '../connection.ts'
import { BUNDLE_CHARACTERS_MAX } from '../evidence-check.ts'
import { fetchPublished } from './fetch-published.ts'

export interface KeySource {
  /** A file. */
  keys?: string
  keysUrl?: string
}

/** A step of the check that failed: the file is of another service than the keys. */
export interface ServiceStep {
  step: 'service'
  result: 'failed'
  problem: 'another_service' | 'another_issuer'
  says: string
}

const ON_PURPOSE = 'give its keys on purpose, with --keys <file> or --keys-url <address>'

/** Returns the document of keys from the file or address that was given, else from the service that is configured. */
export async function readKeys({ keys, keysUrl }: KeySource): Promise<unknown> {
  if (keys !== undefined) return JSON.parse(readFileSync(keys, 'utf8'))
  const address = keysUrl ?? findOwnKeys()
  console.error(`Keys from ${address}`)
  return fetchPublished(address)
}

function findOwnKeys(): string {
  const service = findServiceAddress()
  if (service !== null) return new URL('/v1/evidence/keys', service).href
  throw new Error(
    'No service is configured whose keys could be used. Give them with --keys <file> or --keys-url <address>,\n' +
      'or name your service: nameplate login --url <address of the API>, or NAMEPLATE_API_URL.',
  )
}

/**
 * Returns what is wrong where the file names another service than the one whose keys are used: in the address of its keys,
 * unless they were given on purpose; or in its record. Null where nothing is.
 */
export function compareService(text: string, document: unknown, { keys, keysUrl }: KeySource): ServiceStep | null {
  const { keysAddress, service } = readNames(text)
  const { issuer } = toObject(document)
  const own = findServiceAddress()
  if (keys === undefined && keysUrl === undefined && own !== null && keysAddress !== null) {
    const named = originOf(keysAddress)
    if (named !== originOf(own) && named !== originOf(issuer)) {
      return fail(
        'another_service',
        `The file names the keys of another service, ${named ?? keysAddress}. They were not used: the keys are those of ` +
          `${originOf(own)}. If you trust the other service, ${ON_PURPOSE}.`,
      )
    }
  }
  if (typeof issuer === 'string' && service !== null && service !== issuer) {
    return fail(
      'another_issuer',
      `The record says that ${service} made it, but the keys are those of ${issuer}. If you trust the first, ${ON_PURPOSE}.`,
    )
  }
  return null
}

const fail = (problem: ServiceStep['problem'], says: string): ServiceStep => ({
  step: 'service',
  result: 'failed',
  problem,
  says,
})

/** Returns the names of services in a bundle; null for each that cannot be read, which the check itself reports. */
function readNames(text: string): { keysAddress: string | null; service: string | null } {
  const bundle = parseObject(text)
  const { made_by: madeBy } = parseObject(bundle['record'])
  return { keysAddress: toText(bundle['keys_url']), service: toText(toObject(madeBy)['service']) }
}

function parseObject(text: unknown): Record<string, unknown> {
  if (typeof text !== 'string' || text.length > BUNDLE_CHARACTERS_MAX) return {}
  try {
    return toObject(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Names are shown to a person, so they are short and have no control characters. */
function toText(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, NAME_MAX).replaceAll(/[\p{Cc}\p{Cf}]/gu, '') : null
}

const NAME_MAX = 300

const toObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const originOf = (address: unknown): string | null =>
  typeof address === 'string' && URL.canParse(address) ? new URL(address).origin : null
