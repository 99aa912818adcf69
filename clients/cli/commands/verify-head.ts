/** Compares a saved head of the log of evidence records with the log of today. */
import { findServiceAddress } from '../connection.ts'
import {
  checkGrowth,
  checkHead,
  findSavedHead,
  type GrowthStep,
  type PublishedKeys,
  parsePublishedKeys,
  type SavedHead,
} from '../evidence-check.ts'
import { fetchPublished } from './fetch-published.ts'
import { type KeySource, readKeys } from './verify-keys.ts'

export interface GrowthReport {
  intact: boolean
  steps: GrowthStep[]
  /** The time of the saved head; null where it does not hold. */
  since: string | null
}

export async function compareWithLog(saved: SavedHead, options: KeySource): Promise<GrowthReport> {
  const service = findServiceAddress()
  if (service === null) {
    throw new Error(
      'No service is configured whose log could be compared. Name yours: nameplate login --url <address of the API>, or\n' +
        'NAMEPLATE_API_URL.',
    )
  }
  const published = parsePublishedKeys(await readKeys(options))
  const { step, opened } = checkHead('saved_head', saved, published)
  const fromFile = options.keys !== undefined
  const steps = opened ? [step, ...(await readGrowth(opened, { service, published, fromFile }))] : [step]
  const intact = steps.every(({ result }) => result !== 'failed')
  return { intact, steps, since: opened && opened.madeAt.toISOString() }
}

type Opened = Parameters<typeof checkGrowth>[0]

/** Keys and authorities change: a file of keys that was saved beside a head lacks those that came later. */
const MAYBE_NEWER = ['head_changed', 'head_stamp_untrusted']
const MAYBE_NEWER_KEY: GrowthStep = {
  step: 'newest_head',
  result: 'missing',
  problem: null,
  says:
    'The newest head of the log is signed by a key, or stamped by an authority, that is not in your file of keys. It may be newer ' +
    'than the file: run this again without --keys, or with the keys that the service publishes today.',
}

interface Source {
  service: string
  published: PublishedKeys
  /** Whether the keys are from a file of the person. */
  fromFile: boolean
}

async function readGrowth(saved: Opened, { service, published, fromFile }: Source): Promise<GrowthStep[]> {
  const heads = await fetchPublished(new URL('/v1/evidence/log/heads?limit=1', service).href)
  const head = findSavedHead(JSON.stringify(heads))
  const { entries } = heads as { entries?: unknown }
  if (!head || typeof entries !== 'number') throw new Error(`${service} has published no head of its log.`)
  const { step, opened: newest } = checkHead('newest_head', head, published)
  if (!newest) return [fromFile && MAYBE_NEWER.includes(step.problem ?? '') ? MAYBE_NEWER_KEY : step]
  const isProvable = saved.size <= newest.size && newest.size <= entries
  const proof = isProvable ? await readProof(service, `first_size=${saved.size}&second_size=${newest.size}`) : []
  return [step, checkGrowth(saved, { newest, entries, proof, now: new Date() })]
}

async function readProof(service: string, sizes: string): Promise<string[]> {
  const proof = await fetchPublished(new URL(`/v1/evidence/log/consistency?${sizes}`, service).href)
  const { consistency } = proof as { consistency?: unknown }
  return Array.isArray(consistency) ? consistency.map(String) : []
}
