/** Makes pages and reads them, one after the other, in a thread that can be ended when a page never is. */
import { parentPort, workerData } from 'node:worker_threads'
import { randomOf } from '../../../rig/random.ts'
import { fixtureRegister } from '../../../src/resolver/register-view.fixture.ts'
import { BOMBS } from './bombs.ts'
import { mutatePage } from './mutate-page.ts'
import { readFiles, readWhole } from './read-whole.ts'
import { makeBait } from './regex-bait.ts'
import type { SeedPages } from './seed-pages.ts'

export interface ThreadStart {
  seed: number
  seeds: SeedPages
  /** The page being read and when it was begun, for the watching thread. */
  state: SharedArrayBuffer
}

/** Indexes below zero are the bombs. */
export interface Portion {
  from: number
  count: number
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

const { seed, seeds, state } = workerData as ThreadStart
const stock = { seeds: seeds.pages, bait: makeBait(seed) }
const register = fixtureRegister(seeds.companies)
const current = new Int32Array(state)

function readOne(index: number): ReadPage {
  const random = randomOf(seed, index)
  const { kind, body, contentType } = index < 0 ? makeBomb(index) : mutatePage(random, stock)
  const page = { index, kind, bytes: body.length }
  Atomics.store(current, 0, index)
  Atomics.add(current, 1, 1)
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

parentPort?.on('message', ({ from, count }: Portion) => {
  for (let index = from; index < from + count; index += 1) parentPort?.postMessage(readOne(index))
})
