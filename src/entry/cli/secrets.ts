import type { Command } from 'commander'
import { endApiKey, getAccount, rehashApiKeys, SEALED_API_KEY, SEALED_SIGNING_KEY } from '../../accounts/index.ts'
import { SEALED_DOCUMENT_KEY, SEALED_EVIDENCE_KEY } from '../../evidence/index.ts'
import { type ResealCount, resealColumn, type SealedColumn } from '../../lib/db/reseal.ts'
import { SEALED_OAUTH_PAYLOAD } from '../../oauth/index.ts'
import { SEALED_PREVIOUS_WEBHOOK_SECRET, SEALED_WEBHOOK_ADDRESS, SEALED_WEBHOOK_SECRET } from '../../webhooks/index.ts'
import { SEALED_ANSWER } from '../http/idempotency.ts'
import { printRecord, printTable, type WithApp } from './output.ts'

/** Every column whose values are sealed. A house test holds it against the schema. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SEALED_API_KEY,
  SEALED_SIGNING_KEY,
  SEALED_EVIDENCE_KEY,
  SEALED_DOCUMENT_KEY,
  SEALED_WEBHOOK_SECRET,
  SEALED_PREVIOUS_WEBHOOK_SECRET,
  SEALED_WEBHOOK_ADDRESS,
  SEALED_OAUTH_PAYLOAD,
  SEALED_ANSWER,
]

const PROGRESS_EVERY_MS = 2_000

export function addSecretsCommands(program: Command, withApp: WithApp): void {
  const secrets = program.command('secrets').description('move what is stored to the newest keys')
  secrets
    .command('reseal')
    .description(
      'seal every stored secret with the first of SEALING_KEYS and hash every API key with HASHING_KEY; safe to run again, and beside the running service',
    )
    .option('--json', 'as JSON')
    .action(async (_options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const rows: Array<Record<keyof ResealCount | 'rehashed', string | number>> = []
        for (const column of SEALED_COLUMNS) {
          const count = await resealColumn(app, column, reportProgress())
          rows.push({ ...count, rehashed: column === SEALED_API_KEY ? await rehashApiKeys(app) : 0 })
        }
        printTable(output, rows, '')
        const unreadable = rows.reduce((sum, row) => sum + Number(row.unreadable), 0)
        if (unreadable > 0) {
          throw new Error(
            `${unreadable} values were sealed with a key that is not configured. Put that key back at the end of SEALING_KEYS and run this again; otherwise they are lost: rotate those API keys and webhook secrets.`,
          )
        }
      }),
    )
}

/** To standard error, so that what a program reads stays one document. */
function reportProgress(): (count: ResealCount) => void {
  let reportedAtMs = Date.now()
  return ({ column, rows, resealed }) => {
    if (Date.now() - reportedAtMs < PROGRESS_EVERY_MS) return
    reportedAtMs = Date.now()
    console.error(`${column}: ${rows} read, ${resealed} sealed again`)
  }
}

export function addKeyCommands(program: Command, withApp: WithApp): void {
  const key = program.command('key').description('end API keys')
  key
    .command('revoke')
    .description('end one API key at once; where it was the current one, a new key takes its place')
    .argument('<account>', 'id (acc_…) or e-mail address')
    .argument('<key>', 'id of the key (key_…), as `account export` shows it')
    .option('--json', 'as JSON')
    .action(async (idOrEmail: string, keyId: string, _options: object, command: Command) =>
      withApp(command, async (app, output) => {
        const { id: accountId } = await getAccount(app, idOrEmail)
        const ended = await endApiKey(app, { accountId, id: keyId, origin: null })
        printRecord(output, { account_id: accountId, key: ended.id, mode: ended.mode, replaced: ended.isReplaced })
      }),
    )
}
