/** Makes a page and reads it, in a thread that is ended when the page never is. */
import { parentPort } from 'node:worker_threads'
import { randomOf } from '../../../rig/random.ts'
import { fixtureRegister } from '../../../src/resolver/register-view.fixture.ts'
import { BOMBS } from './bombs.ts'
import { mutatePage, type PageStock } from './mutate-page.ts'
import { readFiles, readWhole } from './read-whole.ts'
import { makeBait } from './regex-bait.ts'
import { readSeedPages } from './seed-pages.ts'

export interface PageTask {
  seed: number
  /** Below zero, it is one of the bombs. */
  index: number
}

export interface ReadPage {
  index: number
  kind: string
  bytes: number
  cpuMs: number
  answerCharacters: number
  /** The error, or how two readings differed. */
  failure: string | null
  /** The heap of the thread afterwards. */
  heapMb: number
}

const CHECKED_TWICE_SHARE = 0.04
const FILES_SHARE = 0.05

const seeds = readSeedPages()
const register = fixtureRegister(seeds.companies)
let stock: PageStock | undefined

function readOne({ seed, index }: PageTask): ReadPage {
  stock ??= { seeds: seeds.pages, bait: makeBait(seed) }
  const random = randomOf(seed, index)
  const { kind, body, contentType } = index < 0 ? makeBomb(index) : mutatePage(random, stock)
  const page = { index, kind, bytes: body.length }
  const before = process.threadCpuUsage()
  const spent = () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
  try {
    const answer = readWhole(body, contentType, register)
    const cpuMs = spent()
    const isSame = !random.isTrue(CHECKED_TWICE_SHARE) || readWhole(body, contentType, register) === answer
    if (random.isTrue(FILES_SHARE)) readFiles(body.subarray(0, FILE_BYTES_MAX))
    const failure = isSame ? null : 'read twice, it was answered differently'
    return { ...page, cpuMs, answerCharacters: answer.length, failure, heapMb: heapMb() }
  } catch (error) {
    const failure = error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error)
    return { ...page, cpuMs: spent(), answerCharacters: 0, failure, heapMb: heapMb() }
  }
}

function heapMb(): number {
  return process.memoryUsage().heapUsed / 2 ** 20
}

/** As much as is read of a file. */
const FILE_BYTES_MAX = 512_000

function makeBomb(index: number) {
  const bomb = BOMBS[-index - 1]
  if (!bomb) throw new Error(`there is no bomb ${index}`)
  return { kind: bomb.name, body: Buffer.from(bomb.make()), contentType: 'text/html; charset=utf-8' }
}

parentPort?.on('message', (task: PageTask) => parentPort?.postMessage(readOne(task)))
