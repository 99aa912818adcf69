import type { Command } from 'commander'
import { endApiKey, getAccount } from '../../accounts/index.ts'
import type { WithApp } from './assembly.ts'
import { printRecord } from './output.ts'

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
