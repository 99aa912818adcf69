import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { BUNDLE_CHARACTERS_MAX, checkBundle, parsePublishedKeys } from '../check/index.ts'
import { printJson, wantsJson } from '../output.ts'

const KEYS_BYTES_MAX = 5_000_000
const TIMEOUT_MS = 15_000
const MARKS = { ok: '✓', failed: '✗', missing: '–' } as const

export function addVerifyCommand(program: Command): void {
  program
    .command('verify <file>')
    .description('check a sealed evidence bundle: what is intact, since when, and by whom; needs no account')
    .option('--keys <file>', 'the published keys in a file, to check without a network')
    .option('--keys-url <address>', 'where to fetch the published keys, instead of the address in the bundle')
    .action(async (file: string, options: { keys?: string; keysUrl?: string }, command: Command) => {
      const text = readFileSync(file, 'utf8').slice(0, BUNDLE_CHARACTERS_MAX + 1)
      const report = checkBundle(text, parsePublishedKeys(await readKeys(text, options)))
      if (wantsJson(command)) printJson(report)
      else {
        for (const { result, says } of report.steps) console.log(`${MARKS[result]} ${says}`)
        const { record } = report
        if (record && report.intact) {
          const { company_name: name, company_number: number, outcome } = record.answer
          console.log(`\n${record.question.domain}: ${outcome}${name ? `, ${name} (${number})` : ''}`)
        }
        console.log(report.intact ? '\nThe record is intact.' : '\nDo not rely on this record.')
      }
      if (!report.intact) throw new NotIntact('The check failed.')
    })
}

class NotIntact extends Error {}

async function readKeys(text: string, { keys, keysUrl }: { keys?: string; keysUrl?: string }): Promise<unknown> {
  if (keys !== undefined) return JSON.parse(readFileSync(keys, 'utf8'))
  const address = keysUrl ?? findAddress(text)
  console.error(`Keys from ${address}`)
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })
  if (!response.ok) throw new Error(`${address} responded with status ${response.status}.`)
  const body = await response.text()
  if (body.length > KEYS_BYTES_MAX) throw new Error(`${address} sent more than a document of keys.`)
  return JSON.parse(body)
}

/** The bundle names the address itself, so the person must see whose it is: it is printed above. */
function findAddress(text: string): string {
  try {
    const { keys_url: address } = JSON.parse(text) as { keys_url?: unknown }
    if (typeof address === 'string' && /^https?:\/\//.test(address)) return address
  } catch {
    // The message below says what to do.
  }
  throw new Error('The file names no address of keys. Give them with --keys or --keys-url.')
}
