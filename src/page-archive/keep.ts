/** Keeps the pages that an answer quotes, in the transaction that stores the answer. */
import type { Tx } from '../lib/db/db.ts'
import { type Outcome, type PageCapture, type QuotedPage, selectQuoted } from '../resolver/index.ts'
import { keptUntil } from './retention.ts'

interface QuotingAnswer {
  resolutionId: string
  domain: string
  outcome: Outcome
  resolvedAt: Date
  quoted: readonly QuotedPage[]
}

/** Where the quoted pages are: in the reading of the site, or with other answers whose words are repeated. */
export interface PageSources {
  captures: readonly PageCapture[]
  from: readonly string[]
}

/** Keeps what the answer quotes. It shares the bodies of the answers whose words it repeats, such as that of a rival. */
export async function keepPages(tx: Tx, answer: QuotingAnswer, { captures, from }: PageSources): Promise<void> {
  const own = selectQuoted(captures, answer.quoted)
  if (own.length > 0) {
    await putBodies(tx, own, answer.resolvedAt)
    await insertCaptures(tx, answer, own)
  }
  const others = answer.quoted.filter(
    ({ url }) => !own.some((capture) => capture.leadsTo === null && capture.url === url),
  )
  if (others.length > 0 && from.length > 0) await copyCaptures(tx, answer, others, from)
}

/** A body may be deleted while it is added: then it is added again. */
const ROUNDS_MAX = 5

/** Afterwards all bodies are there, and none of them can be deleted before the transaction ends. */
async function putBodies(tx: Tx, captures: readonly PageCapture[], at: Date): Promise<void> {
  // In order: two answers with the same pages would else wait for each other.
  const bodies = [...new Map(captures.map((one) => [one.sha256, one])).values()].sort((a, b) =>
    a.sha256 < b.sha256 ? -1 : 1,
  )
  const contents = bodies.map(({ content }) => Buffer.from(content, 'base64'))
  const hashes = bodies.map(({ sha256 }) => Buffer.from(sha256, 'hex'))
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const held = await tx.query(
      `with added as (
         insert into page_body (sha256, bytes, stored_bytes, content, created_at)
         select sha256, bytes, length(content), content, $4
         from unnest($1::bytea[], $2::integer[], $3::bytea[]) body (sha256, bytes, content)
         on conflict (sha256) do nothing returning sha256
       ), held as (
         select sha256 from page_body where sha256 = any ($1) order by sha256 for key share
       )
       select from added union all select from held`,
      [hashes, bodies.map(({ bytes }) => bytes), contents, at],
    )
    if (held.length >= bodies.length) return
  }
  throw new Error('the bodies of pages are deleted faster than they can be added')
}

async function insertCaptures(tx: Tx, answer: QuotingAnswer, captures: readonly PageCapture[]): Promise<void> {
  await tx.query(
    `insert into page_capture
       (resolution_id, domain, kept_until, url, leads_to, status, fetched_at, ip, request, response, is_cut, sha256)
     select $1, $2, $3, page.* from unnest($4::text[], $5::text[], $6::smallint[], $7::timestamptz[], $8::text[],
       $9::text[], $10::text[], $11::boolean[], $12::bytea[]) page`,
    [
      answer.resolutionId,
      answer.domain,
      keptUntil(answer, 'free'),
      captures.map(({ url }) => url),
      captures.map(({ leadsTo }) => leadsTo),
      captures.map(({ status }) => status),
      captures.map(({ fetchedAt }) => fetchedAt),
      captures.map(({ ip }) => ip),
      captures.map(({ request }) => request),
      captures.map(({ response }) => response),
      captures.map(({ isCut }) => isCut),
      captures.map(({ sha256 }) => Buffer.from(sha256, 'hex')),
    ],
  )
}

async function copyCaptures(
  tx: Tx,
  answer: QuotingAnswer,
  quoted: readonly QuotedPage[],
  from: readonly string[],
): Promise<void> {
  await tx.query(
    `insert into page_capture
       (resolution_id, domain, kept_until, url, leads_to, status, fetched_at, ip, request, response, is_cut, sha256)
     select distinct on (url, sha256, leads_to is null)
       $1, $2, $3::timestamptz, url, leads_to, status, fetched_at, ip, request, response, is_cut, sha256
     from page_capture page
     where resolution_id = any ($4) and exists (
       select from unnest($5::text[], $6::text[]) quoted (url, sha256)
       where case when page.leads_to is null
         then quoted.url = page.url and (quoted.sha256 is null or decode(quoted.sha256, 'hex') = page.sha256)
         else split_part(quoted.url, '/', 3) = split_part(page.leads_to, '/', 3) end)
     order by url, sha256, leads_to is null, fetched_at`,
    [
      answer.resolutionId,
      answer.domain,
      keptUntil(answer, 'free'),
      from,
      quoted.map(({ url }) => url),
      quoted.map(({ sha256 }) => sha256),
    ],
  )
}

/** Keeps the pages of answers at least as long as an account's plan says. */
export async function keepLonger(
  tx: Tx,
  answers: ReadonlyArray<{ resolutionId: string; keptUntil: Date }>,
): Promise<void> {
  await tx.query(
    `update page_capture page set kept_until = longer.kept_until
     from unnest($1::text[], $2::timestamptz[]) longer (resolution_id, kept_until)
     where page.resolution_id = longer.resolution_id and page.kept_until < longer.kept_until`,
    [answers.map(({ resolutionId }) => resolutionId), answers.map((answer) => answer.keptUntil)],
  )
}
