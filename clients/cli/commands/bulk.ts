import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import type { Bulk, BulkPreflight, Nameplate } from '../client.ts'
import { connect } from '../connection.ts'
import { ProgressLine, printJson, printPairs, wantsJson } from '../output.ts'

interface BulkOptions {
  yes?: boolean
  output?: string
}

export function addBulkCommand(program: Command): void {
  program
    .command('bulk <file>')
    .description('up to 10,000 domains of a CSV file or a list; shows the highest cost and asks before it starts')
    .option('--yes', 'do not ask')
    .option('--output <file>', 'JSON lines with a result for every row; by default <file>.results.jsonl')
    .action(async (file: string, options: BulkOptions, command: Command) => {
      const [nameplate, rows] = [connect(), readFileSync(file, 'utf8')]
      const preflight = await nameplate.bulk.preflight(rows)
      if (!wantsJson(command)) printPreflight(preflight)
      if (!options.yes && !(await agrees()))
        return console.error('Nothing was started. With --yes it starts without asking.')
      const { id } = await nameplate.bulk.create(rows, { name: basename(file) })
      const bulk = await waitFor(nameplate, id)
      const output = options.output ?? `${file}.results.jsonl`
      await storeResults(nameplate, id, output)
      if (wantsJson(command)) return printJson({ ...bulk, output })
      printEnd(bulk, output)
    })
}

async function waitFor(nameplate: Nameplate, id: string): Promise<Bulk> {
  using progress = new ProgressLine()
  return nameplate.bulk.wait(id, {
    onProgress: ({ counts, eta_seconds: left }) => {
      const done = counts.total - counts.waiting - counts.running
      const eta = left === null ? '' : `, about ${left} s left`
      progress.show(`${done} of ${counts.total} rows, ${counts.matched} matched${eta}`)
    },
  })
}

async function storeResults(nameplate: Nameplate, id: string, output: string): Promise<void> {
  const lines: string[] = []
  for await (const result of nameplate.bulk.results(id)) lines.push(JSON.stringify(result))
  writeFileSync(output, `${lines.join('\n')}\n`)
}

/** Asks for consent on a terminal; without one the answer is no. */
async function agrees(): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question('Start? [y/N] ')
  lines.close()
  return /^y(es)?$/i.test(answer.trim())
}

function printPreflight(preflight: BulkPreflight): void {
  printPairs([
    ['rows', preflight.rows],
    ['domains', preflight.unique_domains],
    ['duplicates', preflight.duplicates],
    ['invalid', preflight.invalid],
    ['free mail', preflight.free_mail],
    ['already paid', preflight.already_paid],
    ['credits at most', `${preflight.credits_max} of ${preflight.credits_available}`],
  ])
}

function printEnd({ id, status, counts, credits_spent: spent, paused_reason: why }: Bulk, output: string): void {
  const { total, ...rest } = counts
  console.log(
    `\n${id} is ${status}${why ? ` (${why})` : ''}: ${total} ${total === 1 ? 'row' : 'rows'}, ${spent} ${spent === 1 ? 'credit' : 'credits'} spent.`,
  )
  printPairs(Object.entries(rest).filter(([, count]) => count > 0))
  console.log(`The results are in ${output}.`)
}
