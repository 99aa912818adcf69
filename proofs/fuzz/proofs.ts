import type { Proof } from '../../tools/proof/render.ts'

const none = (label: string) => ({ label, atMost: 0 })

export const API_PROOF: Proof = {
  title: 'Hostile requests',
  about:
    'Every operation of the OpenAPI document, the site’s forms and pages and the authorization server are asked with ' +
    'requests made from their schemas and then made worse: other types, edges of numbers and Unicode, deep and endless ' +
    'JSON, broken encodings, injected text, false and doubled credentials, paths and headers that nobody should send, ' +
    'and bytes that are no HTTP. API and worker are processes of their own. Every answer is held against the document; ' +
    'memory, handles and logs of the processes are watched, senders of a byte a second must be let go, and the ledger ' +
    'must balance in the end.',
  figures: {
    requests: { label: 'requests', atLeast: 200_000 },
    operations_covered: { label: 'operations covered' },
    server_errors: none('answers with a 5xx'),
    hangs: none('requests without an answer in time'),
    schema_mismatches: none('answers that differ from their schema'),
    undocumented_statuses: none('statuses that the document does not promise'),
    leaks: none('answers with stack traces, SQL or scripts'),
    connections_dropped: none('connections dropped'),
    log_failures: none('failures in the log'),
    slow_bodies_closed: { label: 'slow senders let go, of 40', atLeast: 40 },
    memory_growth_ratio: { label: 'memory after the run, compared with after warming up', unit: '×', atMost: 1.3 },
    handles_growth: { label: 'handles left open', atMost: 20 },
    requests_per_second: { label: 'requests a second' },
    seed: { label: 'seed' },
  },
}

export const PAGES_PROOF: Proof = {
  title: 'Hostile pages',
  about:
    'Pages of the worlds are damaged in every way that pages are, and in ways that only an attacker would think of: ' +
    'bytes changed, tags nested without end, floods of attributes, entities, numbers and names, broken data for ' +
    'machines, mixed encodings, and text that nearly matches each of the reader’s own patterns. Each goes through all ' +
    'that is done with a page once its bytes are there, in a thread that is ended if the page never is. Times are of ' +
    'the processor. A sample is read twice and must be answered the same.',
  figures: {
    pages: { label: 'pages', atLeast: 100_000 },
    bombs: { label: 'bombs' },
    patterns_baited: { label: 'patterns baited' },
    hangs: none('hangs'),
    crashes: none('crashes'),
    slowest_ms: { label: 'slowest page', unit: 'ms', atMost: 1_500 },
    slowest_bomb_ms: { label: 'slowest bomb', unit: 'ms', atMost: 6_000 },
    p99_ms: { label: '99 % of pages within', unit: 'ms' },
    memory_peak_mb: { label: 'memory at its peak', unit: 'MB' },
    seed: { label: 'seed' },
  },
}

export const SITES_PROOF: Proof = {
  title: 'Hostile sites',
  about:
    'Whole sites are served from raw sockets, byte by byte: rules of every size and shape, redirects and refreshes that ' +
    'lead in circles, inwards or nowhere, sitemaps, floods of headers and cookies, false lengths and encodings, names that ' +
    'lead nowhere, certificates of every kind, and bodies that are cut, slow or endless. The real crawl loop reads them in ' +
    'a process of its own, with the guarded client, the reader threads, extraction and matching; its event loop and ' +
    'memory are watched. A stall is counted by the processor time of the thread, so that a busy machine is none.',
  figures: {
    sites: { label: 'sites', atLeast: 20_000 },
    unanswered: none('sites without an answer'),
    deaths: none('deaths of the worker'),
    stall_ms_max: { label: 'longest stall of the event loop', unit: 'ms', atMost: 250 },
    planted_ms_max: { label: 'slowest answer to the rules that once stopped a worker', unit: 'ms', atMost: 1_000 },
    heap_peak_mb: { label: 'heap at its peak', unit: 'MB', atMost: 400 },
    memory_peak_mb: { label: 'memory at its peak, threads included', unit: 'MB' },
    p99_ms: { label: '99 % of sites within', unit: 'ms' },
    seed: { label: 'seed' },
  },
}
