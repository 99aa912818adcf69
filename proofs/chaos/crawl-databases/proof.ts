import type { Proof } from '../../../tools/proof/render.ts'

export const CRAWL_DATABASES_PROOF: Proof = {
  title: 'Crawl databases',
  about:
    'A list of domains is read from three PostgreSQL servers while customers ask for every third domain. One store becomes two and then ' +
    'three. Databases are killed or hang, workers are killed, all of them at once while a reading waits before the main database ' +
    'or between both databases, and moves die before and after the copy. Then every domain is looked for in every store, ' +
    'and the books are audited. Six planted faults must be found.',
  figures: {
    domains: { label: 'domains' },
    customers_asked: { label: 'requests of customers meanwhile' },
    workers_killed: { label: 'deaths of workers' },
    killed_before_the_first_half: { label: '… before the first half of a settlement', atLeast: 1 },
    killed_between_the_halves: { label: '… between its halves', atLeast: 1 },
    databases_killed: { label: 'deaths of databases', atLeast: 1 },
    databases_that_hung: { label: 'databases that hung', atLeast: 1 },
    moves_killed_before_the_copy: { label: 'deaths of moves before the copy', atLeast: 1 },
    moves_killed_after_it: { label: '… after it', atLeast: 1 },
    domains_moved: { label: 'domains moved', atLeast: 1 },
    sites_read_again: { label: 'sites read again after a death' },
    given_up: { label: 'jobs given up after two deaths, free of charge' },
    problems: {
      label: 'domains lost, stored twice or in a wrong store, jobs that never ended, wrong charges',
      atMost: 0,
    },
    planted_faults_unseen: { label: 'planted faults that were not found', atMost: 0 },
    seconds: { label: 'time', unit: 's' },
  },
}
