import { useMutation, useQuery } from '@tanstack/react-query'
import type {
  CompanyList,
  CompanyLists,
  CompanyNote,
  DeletedList,
  ListEntries,
  ListEntry,
  RemovedCompany,
} from '../api/bodies.ts'
import { callApi } from '../api/client.ts'
import { useToast } from '../ui/toast.tsx'
import { plural } from '../ui/words.ts'
import { useWatchlistChanged } from './watchlist.ts'

/** Every company that is watched, on whichever list. */
export const ALL_LISTS = 'all'
export const DEFAULT_LIST = 'default'
/** In the address of a list, it leads to the settings of its e-mails. */
export const EMAILS_HASH = '#emails'

/** Returns the lists of the account, and the tags in use. */
export function useLists() {
  return useQuery({
    queryKey: ['watchlist', 'lists'],
    queryFn: ({ signal }) => readLists(signal),
  })
}

const readLists = (signal?: AbortSignal) => callApi<CompanyLists>('GET', '/v1/watchlists', { signal })

/** Returns the name of a list by its id. A list that is not loaded is shown by its id. */
export function useListNames(): (id: string) => string {
  const { data } = useLists()
  return (id) => data?.data.find((list) => list.id === id)?.name ?? id
}

export function useMakeList(onMade: (id: string) => void) {
  const refresh = useWatchlistChanged()
  const showToast = useToast()
  return useMutation({
    mutationFn: (name: string) => callApi<CompanyList>('POST', '/v1/watchlists', { body: { name }, isOnce: true }),
    onSuccess: async ({ id, name }) => {
      showToast(`The list “${name}” is ready. Add companies to it.`)
      await refresh()
      onMade(id)
    },
  })
}

/** Changes the name of a list. It can be taken back while the list has that name. */
export function useRenameList({ id, name: before }: CompanyList, onDone: () => void) {
  const refresh = useWatchlistChanged()
  const showToast = useToast()
  const send = (name: string) => callApi<CompanyList>('PATCH', `/v1/watchlists/${id}`, { body: { name } })
  const undo = useMutation({
    mutationFn: async (names: { before: string; saved: string }) => {
      const list = (await readLists()).data.find((one) => one.id === id)
      if (list && list.name !== names.saved) return { name: list.name, isDone: false }
      return { name: (await send(names.before)).name, isDone: true }
    },
    onSuccess: async ({ name, isDone }) => {
      showToast(isDone ? `The list is “${name}” again.` : `The list was renamed since then, and stays “${name}”.`)
      await refresh()
    },
    // Another list may have the name by now.
    onError: (error) => showToast(error.message),
  })
  return useMutation({
    mutationFn: send,
    onSuccess: async ({ name }) => {
      showToast(`The list is “${name}” now.`, { text: 'Undo', onClick: () => undo.mutate({ before, saved: name }) })
      await refresh()
      onDone()
    },
  })
}

export type ListEmails = Pick<CompanyList, 'digest' | 'instant_email'>

/** Changes which e-mails a list sends. It can be taken back. */
export function useChangeEmails(list: CompanyList) {
  const refresh = useWatchlistChanged()
  const showToast = useToast()
  const send = (body: Partial<ListEmails>) => callApi<CompanyList>('PATCH', `/v1/watchlists/${list.id}`, { body })
  const undo = useMutation({
    mutationFn: send,
    onSuccess: async (now) => {
      showToast(describeEmails(now))
      await refresh()
    },
  })
  const { digest, instant_email: instant } = list
  const change = useMutation({
    mutationFn: send,
    onSuccess: async (now) => {
      showToast(describeEmails(now), {
        text: 'Undo',
        onClick: () => undo.mutate({ digest, instant_email: instant }),
      })
      await refresh()
    },
  })
  return { change, undo }
}

/** "“Key customers” sends a weekly digest and instant e-mails for warnings." */
export function describeEmails({ name, ...emails }: ListEmails & { name: string }): string {
  const sent = listEmails(emails)
  return sent.length === 0 ? `“${name}” sends no e-mails.` : `“${name}” sends ${sent.join(' and ')}.`
}

const INSTANT_WORDS = { warning: 'warnings', notice: 'notices and warnings', info: 'all signals' } as const

/** Returns the e-mails that a list sends, in words. */
export function listEmails({ digest, instant_email: instant }: ListEmails): string[] {
  return [
    ...(digest === 'off' ? [] : [`a ${digest} digest`]),
    ...(instant === 'off' ? [] : [`instant e-mails for ${INSTANT_WORDS[instant]}`]),
  ]
}

export function useDeleteList({ id, name }: CompanyList, onDone: () => void) {
  const refresh = useWatchlistChanged()
  const showToast = useToast()
  return useMutation({
    mutationFn: () => callApi<DeletedList>('DELETE', `/v1/watchlists/${id}`),
    onSuccess: async ({ unwatched }) => {
      const gone = unwatched > 0 ? ` You no longer watch ${plural(unwatched, 'company', 'companies')}.` : ''
      showToast(`The list “${name}” is deleted.${gone}`)
      onDone()
      await refresh()
    },
  })
}

/** Takes a company off a list. It can be put back with its note and tags. */
export function useTakeOff(list: CompanyList, { company_number: number, company_name: name }: ListEntry) {
  const refresh = useWatchlistChanged()
  const showToast = useToast()
  const putBack = useMutation({
    mutationFn: ({ note, tags }: RemovedCompany) =>
      callApi('POST', `/v1/watchlists/${list.id}/companies`, { body: { company_number: number, note, tags } }),
    onSuccess: async () => {
      showToast(`${name} is on “${list.name}” again.`)
      await refresh()
    },
  })
  return useMutation({
    mutationFn: () => callApi<RemovedCompany>('DELETE', `/v1/watchlists/${list.id}/companies/${number}`),
    onSuccess: async (removed) => {
      const rest = removed.watched ? 'It is on another list.' : 'You no longer watch it.'
      const undo = { text: 'Undo', onClick: () => putBack.mutate(removed) }
      showToast(`${name} is off “${list.name}”. ${rest}`, undo)
      await refresh()
    },
  })
}

type Words = Pick<CompanyNote, 'note' | 'tags'>

/** Changes the note and tags of a company. They can be taken back until they are changed again. */
export function useChangeNote(
  { company_number: number, company_name: name, note, tags }: ListEntry,
  onDone: () => void,
) {
  const refresh = useWatchlistChanged()
  const showToast = useToast()
  const send = (body: Partial<Words>) =>
    callApi<CompanyNote>('PATCH', `/v1/watchlists/${ALL_LISTS}/companies/${number}`, { body })
  const undo = useMutation({
    mutationFn: async ({ before, saved }: { before: Partial<Words>; saved: Words }) => {
      const now = await findEntry(number)
      const changed = Object.keys(before) as Array<keyof Words>
      const isSaved = now !== undefined && changed.every((part) => isSame(now[part], saved[part]))
      if (isSaved) await send(before)
      return isSaved
    },
    onSuccess: async (isDone) => {
      const become = isDone ? 'are as before' : 'were changed since then, and stay as they are now'
      showToast(`Note and tags of ${name} ${become}.`)
      await refresh()
    },
    onError: (error) => showToast(error.message),
  })
  return useMutation({
    mutationFn: send,
    onSuccess: async (saved, sent) => {
      // What this change left alone may be changed by others meanwhile.
      const before = {
        ...(sent.note === note ? {} : { note }),
        ...(isSame(sent.tags, tags) ? {} : { tags }),
      }
      showToast(`Note and tags of ${name} are saved.`, { text: 'Undo', onClick: () => undo.mutate({ before, saved }) })
      await refresh()
      onDone()
    },
  })
}

/** Its number may be in the notes of other companies, too. */
async function findEntry(number: string): Promise<ListEntry | undefined> {
  const query = { q: number, limit: 100 }
  const { data } = await callApi<ListEntries>('GET', `/v1/watchlists/${ALL_LISTS}/companies`, { query })
  return data.find((entry) => entry.company_number === number)
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
