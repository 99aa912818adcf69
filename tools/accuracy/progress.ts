import { Presets, SingleBar } from 'cli-progress'

/** Shows the progress of a run on stderr: a bar on a terminal, a line every few seconds elsewhere. */
export interface Progress {
  say(step: string): void
  start(sites: number): void
  advance(): void
  stop(): void
}

const LINE_EVERY_MS = 5_000

export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  return stream.isTTY ? barProgress(stream) : lineProgress(stream)
}

function barProgress(stream: NodeJS.WriteStream): Progress {
  const format = '{bar} {percentage}% | {value} of {total} sites | {duration_formatted}, {eta_formatted} to go'
  const bar = new SingleBar({ stream, format, hideCursor: true, etaBuffer: 50 }, Presets.shades_classic)
  return {
    say: (step) => stream.write(`${step} …\n`),
    start: (sites) => bar.start(sites, 0),
    advance: () => bar.increment(),
    stop: () => bar.stop(),
  }
}

function lineProgress(stream: NodeJS.WriteStream): Progress {
  let [done, total, startedAt] = [0, 0, 0]
  let timer: NodeJS.Timeout | undefined
  const writeLine = () => {
    const seconds = (performance.now() - startedAt) / 1_000
    stream.write(`${done} of ${total} sites, ${(done / seconds).toFixed(1)} a second\n`)
  }
  return {
    say: (step) => stream.write(`${step} …\n`),
    start: (sites) => {
      total = sites
      startedAt = performance.now()
      timer = setInterval(writeLine, LINE_EVERY_MS)
    },
    advance: () => {
      done += 1
    },
    stop: () => {
      if (timer) {
        writeLine()
        clearInterval(timer)
      }
      timer = undefined
    },
  }
}
