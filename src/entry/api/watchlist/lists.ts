/** Lists of companies with names, and the companies on them with notes and tags. */
import { z } from 'zod'
import type { App } from '../../../app.ts'
import {
  ALL_LISTS,
  changeList,
  changeNote,
  DEFAULT_LIST,
  deleteList,
  getListKey,
  INSTANT_EMAILS,
  LIST_DIGESTS,
  LISTS_MAX,
  type ListEntry,
  listEntries,
  listLists,
  listTags,
  makeList,
  NOTE_MAX,
  removeCompany,
  TAG_MAX,
  TAGS_MAX,
  WATCH_CURSOR,
  watchCompany,
} from '../../../signals/index.ts'
import { type Caller, callerOf, changeOf, originOf } from '../../http/caller.ts'
import { invalidRequest } from '../../http/errors.ts'
import { respondOnce } from '../../http/idempotency.ts'
import type { Server } from '../../http/instance.ts'
import { PageQuery, presentMembers, Time } from '../../http/page.ts'
import { describeRoutes } from '../../http/route.ts'
import { cursorOf, cursorPageOf, presentPage, toOffset } from '../cursor-page.ts'
import { readCompanyNumber } from '../register/company-profile.ts'
import { CompanyNumber, Entry, ownerOf, presentEntry } from './watchlist.ts'

const Digest = z
  .enum(LIST_DIGESTS)
  .describe(
    'An e-mail with the signals of this list: each morning after 7:00 in London, or each Monday for the week before.',
  )
const InstantEmail = z
  .enum(INSTANT_EMAILS)
  .describe('Signals of this severity and above are sent by e-mail within minutes, at most 12 e-mails an hour.')

const ListBody = z
  .object({
    id: z.string().describe('`default` is the list of `/v1/watchlist`.'),
    name: z.string(),
    is_default: z.boolean(),
    companies: z.int(),
    created_at: Time.nullable().describe('Null for a default list that was never changed.'),
    digest: Digest,
    instant_email: InstantEmail,
  })
  .meta({ id: 'CompanyList' })

const Lists = z
  .object({
    data: z.array(ListBody).describe('The default list first, then by name.'),
    tags: z.array(z.object({ tag: z.string(), companies: z.int() })).describe('Tags in use, at most 500.'),
  })
  .meta({ id: 'CompanyLists' })

const words = {
  note: z.string().describe('Your own words on this company; empty when there are none.'),
  tags: z.array(z.string()),
}

const ListEntryBody = Entry.extend({
  ...words,
  lists: z.array(z.string()).describe('The ids of all lists that it is on.'),
}).meta({ id: 'ListEntry' })

const DeletedList = z
  .object({
    id: z.string(),
    deleted: z.literal(true),
    unwatched: z.int().describe('Companies that were on no other list.'),
  })
  .meta({ id: 'DeletedList' })

const Removed = z
  .object({
    company_number: z.string(),
    was_on_list: z.boolean(),
    watched: z.boolean().describe('True while it is on another list.'),
    ...words,
  })
  .meta({ id: 'RemovedCompany' })

const NoteBody = z.object({ company_number: z.string(), ...words }).meta({ id: 'CompanyNote' })

export function listsRoutes(app: App, server: Server): void {
  server.get('/v1/watchlists', LIST, async (request) => {
    const caller = callerOf(request)
    const [lists, tags] = await Promise.all([listLists(app.db, caller), listTags(app.db, caller)])
    return { data: lists.map(presentMembers), tags }
  })

  server.post('/v1/watchlists', MAKE, async (request, reply) => {
    const caller = callerOf(request)
    return respondOnce(app, { request, reply, caller }, async (once) => {
      const made = await makeList(once, { ...caller, origin: originOf(request), name: request.body.name })
      return { status: 201, body: presentMembers(made) }
    })
  })

  server.patch('/v1/watchlists/:id', CHANGE, async (request) => {
    const { name, digest, instant_email: instantEmail } = request.body
    const emails = { ...(digest && { digest }), ...(instantEmail && { instantEmail }) }
    const hasEmails = Object.keys(emails).length > 0
    if (name === undefined && !hasEmails) {
      throw invalidRequest([{ field: 'name', message: 'is missing: send name, digest or instant_email' }])
    }
    return presentMembers(await changeList(app, { ...changeOf(request), name, ...(hasEmails && { emails }) }))
  })

  server.delete('/v1/watchlists/:id', DELETE, async (request) => {
    const unwatched = await deleteList(app, changeOf(request))
    return { id: request.params.id, deleted: true as const, unwatched }
  })
}

export function listEntriesRoutes(app: App, server: Server): void {
  server.get('/v1/watchlists/:id/companies', ENTRIES, async (request) => {
    const { accountId, mode } = callerOf(request)
    const { limit, cursor, tag, q } = request.query
    const offset = toOffset(request.query, 'companies')
    const query = { accountId, mode, list: request.params.id, tag, q, limit, offset, cursor }
    const { entries, nextCursor } = await listEntries(app.db, query)
    return presentPage(entries.map(presentListEntry), request.query, nextCursor)
  })

  server.post('/v1/watchlists/:id/companies', ADD, async (request, reply) => {
    const caller = callerOf(request)
    // Adding a company again changes nothing.
    return respondOnce(app, { request, reply, caller }, async () => {
      const { company_number: typed, note, tags } = request.body
      const number = readCompanyNumber(typed)
      const { id: list } = request.params
      await getListKey(app.db, caller, list)
      const added = await watchCompany(app, ownerOf(caller), number, { list, note: { note, tags } })
      return { status: added.isAdded ? 201 : 200, body: { ...presentEntry(added.entry), watched: true } }
    })
  })

  server.patch('/v1/watchlists/:id/companies/:company_number', NOTE, async (request) => {
    const caller = callerOf(request)
    await assertList(app, caller, request.params.id)
    const number = readCompanyNumber(request.params.company_number)
    return { company_number: number, ...(await changeNote(app, caller, number, request.body)) }
  })

  server.delete('/v1/watchlists/:id/companies/:company_number', REMOVE, async (request) => {
    const number = readCompanyNumber(request.params.company_number)
    const { wasOnList, isWatched, note, tags } = await removeCompany(app, changeOf(request), number)
    return { company_number: number, was_on_list: wasOnList, watched: isWatched, note, tags }
  })
}

/** Throws `not_found` unless it is a list of the caller; `all` is for reading. */
export async function assertList(app: App, caller: Caller, id: string): Promise<void> {
  if (id !== ALL_LISTS) await getListKey(app.db, caller, id)
}

function presentListEntry(entry: ListEntry): z.input<typeof ListEntryBody> {
  const { note, tags, lists } = entry
  return { ...presentEntry(entry), note, tags, lists }
}

const describe = describeRoutes({ tag: 'Watchlist', accepts: ['session', 'key'] })

export const ListId = z.object({ id: z.string().max(64).describe(`\`wl_…\`, or \`${DEFAULT_LIST}\`.`) })
const CompanyOnList = ListId.extend({ company_number: CompanyNumber })
const Name = z.string().trim().min(1).max(80)
const Note = z.string().trim().max(NOTE_MAX).describe('Your own words on this company.')
const Tag = z.string().trim().min(1).max(TAG_MAX)
/** In files and in the console, a comma is between tags. */
const WithoutComma = Tag.regex(/^[^,]*$/, 'a tag has no comma')
const Tags = z
  .array(WithoutComma)
  .max(TAGS_MAX)
  .describe('They replace the tags that the company has. A tag has no comma.')

/** Note and tags of a company, as they are sent. */
export const Words = z.object({ note: Note.optional(), tags: Tags.optional() })

/** Narrows the companies of a list. */
export const EntryFilter = z.object({
  tag: Tag.optional().describe('Only companies with this tag.'),
  q: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('A part of the name or note, or the beginning of the number.'),
})

const LIST = describe({
  operationId: 'listLists',
  summary: 'Your lists of companies',
  description: 'With the number of companies on each, and the tags that you use. A company can be on several lists.',
  answers: { 200: { description: 'The lists.', schema: Lists } },
})

const MAKE = describe({
  operationId: 'makeList',
  summary: 'Make a list',
  description: `An account has at most ${LISTS_MAX} lists beside the default one. Two lists cannot have the same name.`,
  idempotent: true,
  body: z.object({ name: Name }),
  answers: { 201: { description: 'The list, empty.', schema: ListBody } },
  errors: ['plan_limit_reached'],
})

const CHANGE = describe({
  operationId: 'changeList',
  summary: 'Change the name or the e-mails of a list',
  description:
    'What you leave out stays. A digest begins with the signals from the moment you turn it on. The daily digest of the account leaves out companies on a list with a daily digest of its own. E-mails go to the address of the account, and each has a link that stops those of its list. A test key can change the name only.',
  assertOwned: assertList,
  params: ListId,
  body: z.object({ name: Name.optional(), digest: Digest.optional(), instant_email: InstantEmail.optional() }),
  answers: { 200: { description: 'The list.', schema: ListBody } },
  errors: ['not_found'],
})

const DELETE = describe({
  operationId: 'deleteList',
  summary: 'Delete a list',
  description:
    'You stop watching the companies that are on no other list, and destinations for this list are deleted. The default list cannot be deleted.',
  params: ListId,
  answers: { 200: { description: 'The list is gone.', schema: DeletedList } },
  errors: ['not_found'],
})

const ENTRIES = describe({
  operationId: 'listCompaniesOnList',
  summary: 'The companies on a list',
  description: `The newest watch first, with notes and tags. The id \`${ALL_LISTS}\` lists every company that you watch.`,
  assertOwned: assertList,
  params: ListId,
  querystring: PageQuery.extend({ ...EntryFilter.shape, cursor: cursorOf(WATCH_CURSOR) }),
  answers: {
    200: {
      description: 'A page of the list.',
      schema: cursorPageOf(ListEntryBody, 'companies come and go').meta({ id: 'ListEntries' }),
    },
  },
  errors: ['not_found'],
})

const Added = Entry.extend({ watched: z.literal(true) }).meta({ id: 'AddedCompany' })

const ADD = describe({
  operationId: 'addCompanyToList',
  summary: 'Put a company on a list',
  description: 'Your plan limits how many companies you watch; a company on several lists counts once.',
  idempotent: true,
  assertOwned: assertList,
  params: ListId,
  body: z.object({ company_number: CompanyNumber, ...Words.shape }),
  answers: {
    201: { description: 'The company is on the list from now on.', schema: Added },
    200: { description: 'It was on the list already.', schema: Added },
  },
  errors: ['plan_limit_reached', 'company_not_found', 'unavailable'],
})

const NOTE = describe({
  operationId: 'changeCompanyNote',
  summary: 'Change the note and tags of a company',
  description: 'They belong to the company, so they are the same on all your lists. What you leave out stays.',
  assertOwned: assertList,
  params: CompanyOnList,
  body: Words,
  answers: { 200: { description: 'Note and tags.', schema: NoteBody } },
  errors: ['not_found'],
})

const REMOVE = describe({
  operationId: 'removeCompanyFromList',
  summary: 'Take a company off a list',
  description:
    'You stop watching it if it is on no other list. The response has its note and tags, with which you can add it again.',
  params: CompanyOnList,
  answers: { 200: { description: 'The company is not on the list, whether it was before or not.', schema: Removed } },
  errors: ['not_found'],
})
