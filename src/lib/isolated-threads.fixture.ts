/** Does to its thread what the message says. */
import { parentPort } from 'node:worker_threads'

const DEEDS: Record<string, () => unknown> = {
  answer: () => 'well',
  environment: () => JSON.stringify(process.env),
  'endless loop': () => {
    for (;;);
  },
  'endless pattern': () => /(a+)+b/.test('a'.repeat(60)),
  memory: () => {
    const kept: number[][] = []
    for (;;) kept.push(Array.from({ length: 10_000 }, (_, place) => place + kept.length))
  },
  error: () => {
    throw new Error('planted')
  },
  exit: () => process.exit(3),
  recursion: () => {
    const deeper = (): number => deeper() + 1
    return deeper()
  },
}

parentPort?.on('message', ({ deed }: { deed: string }) => parentPort?.postMessage(DEEDS[deed]?.()))
