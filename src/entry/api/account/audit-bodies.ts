import { z } from 'zod'
import { ACTOR_KINDS } from '../../../accounts/index.ts'
import { MaybeText, Time } from '../../http/page.ts'

const Facts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** An entry of the audit log, the same in lists and in webhooks. */
export const AuditEntryBody = z
  .object({
    sequence: z.int().describe('Its position in the log of the account, from 1 without gaps.'),
    at: Time,
    act: z.string().describe('What was done, in a stable word: `login`, `api_key_rotated`, `decision_made`, …'),
    act_name: z.string().describe('The same for people.'),
    outcome: z.enum(['success', 'failure']).describe('`failure`: it was tried and refused.'),
    mode: z.enum(['live', 'test']).describe('Of what it is about. Acts on the account itself are live.'),
    actor: z.object({
      kind: z
        .enum(ACTOR_KINDS)
        .describe(
          '`person`: signed in. `api_key`, `program`: by their `id`. `operator`: of Nameplate. `service`: by a rule. `unknown`: without a valid credential.',
        ),
      id: MaybeText.describe('Of the API key or the connection.'),
      name: MaybeText.describe('The e-mail address of the person, or the beginning and end of the key.'),
    }),
    ip: MaybeText.describe('Null without a request, and when its retention is over.'),
    user_agent: MaybeText.describe('Browser and system, or the name of the program.'),
    request_id: MaybeText,
    details: Facts.describe('What it is about.'),
    before: Facts.nullable().describe('The values that changed, before.'),
    after: Facts.nullable().describe('The same after.'),
    proof: z
      .object({
        previous_hash: z.string().describe('`hash` of the entry before it.'),
        hash: z.string(),
        origin_hash: z.string(),
        origin_salt: MaybeText.describe('Null where the address was removed.'),
        content_hash: z.string(),
        content_salt: MaybeText,
      })
      .describe('SHA-256 in hex. The page “Audit log” of the documentation explains how to check them.'),
  })
  .meta({ id: 'AuditEntry' })
