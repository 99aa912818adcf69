import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Nameplate, Signal } from '../client.ts'
import { connect } from '../connection.ts'
import { printJson, wantsJson } from '../output.ts'

const FOLLOW_MS = 5_000

export function addWatchCommands(program: Command): void {
  program
    .command('watch <number...>')
    .description('watch these companies for changes; free')
    .option('--stop', 'stop watching them instead')
    .action(async (numbers: string[], options: { stop?: boolean }, command: Command) => {
      const nameplate = connect()
      for (const number of numbers) {
        const answer = options.stop ? await nameplate.unwatch(number) : await nameplate.watch(number)
        if (wantsJson(command)) printJson(answer)
        else console.log(`${answer.company_number} ${answer.watched ? 'is watched' : 'is not watched any more'}.`)
      }
    })

  program
    .command('signals')
    .description('the changes of the companies you watch, newest last')
    .option('--follow', 'go on and print new ones as they come, until Ctrl-C')
    .option('--limit <count>', 'at most so many to begin with', Number, 20)
    .action(async (options: { follow?: boolean; limit: number }, command: Command) => {
      const [nameplate, print] = [connect(), wantsJson(command) ? printJson : printSignal]
      let newest = await printSince(nameplate, { until: null, limit: options.limit }, print)
      if (newest === null && !options.follow) console.error('Nothing yet. Watch a company: nameplate watch <number>')
      while (options.follow) {
        await sleep(FOLLOW_MS)
        newest = (await printSince(nameplate, { until: newest, limit: 1_000 }, print)) ?? newest
      }
    })
}

/** Prints the signals after `until`, oldest first, and returns the newest; null without any. */
async function printSince(
  nameplate: Nameplate,
  { until, limit }: { until: string | null; limit: number },
  print: (signal: Signal) => void,
): Promise<string | null> {
  const fresh: Signal[] = []
  for await (const signal of nameplate.signals()) {
    if (signal.id === until || fresh.length >= limit) break
    fresh.push(signal)
  }
  for (const signal of fresh.toReversed()) print(signal)
  return fresh[0]?.id ?? null
}

function printSignal({ detected_at: at, company_number: number, signal_type: type, summary }: Signal): void {
  console.log(`${at.slice(0, 16).replace('T', ' ')}  ${number}  ${type}\n  ${summary}`)
}
