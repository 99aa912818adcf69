import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Link } from 'wouter'
import type { CompanyGroup, GroupCompany, GroupOwner } from '../../api/bodies.ts'
import { callApi } from '../../api/client.ts'
import { StatusToNotice } from '../../register/status-badge.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Badge, Button, Card, Empty } from '../../ui/parts.tsx'
import { plural, showMoment } from '../../ui/words.ts'
import './group.css'

type List = 'children' | 'siblings'

/** The group of a company as a tree: the owners above it, its sisters, and what it owns. */
export function GroupTree({ companyNumber }: { companyNumber: string }) {
  const group = useQuery({
    queryKey: ['company', companyNumber, 'group'],
    queryFn: ({ signal }) => callApi<CompanyGroup>('GET', `/v1/companies/${companyNumber}/group`, { signal }),
  })
  return (
    <Card title="Group">
      <Loaded query={group} what="the group">
        {(body) => (isAlone(body) ? <Alone group={body} /> : <Tree group={body} />)}
      </Loaded>
    </Card>
  )
}

function isAlone({ ancestors, owners, children }: CompanyGroup): boolean {
  return ancestors.length === 0 && owners.every(({ kind }) => kind === 'person') && (children?.total ?? 0) === 0
}

function Alone({ group }: { group: CompanyGroup }) {
  const title = group.as_of === null ? 'The group is not known' : 'This company is in no group'
  return (
    <Empty title={title}>
      {group.as_of === null
        ? 'The operator has not imported the register’s file of all owners yet.'
        : `${whyItEnds(group)} No organisation is on record as its owner, and it owns no other company.`}
    </Empty>
  )
}

/** Why there is no owner further up, with what the company at the top says of it. */
function whyItEnds({ top_text: why, top_statement_text: statement }: CompanyGroup): string {
  return statement === null ? why : `${why} “${statement.replace(/\.$/, '')}.”`
}

function Tree({ group }: { group: CompanyGroup }) {
  const chain = group.ancestors.toReversed()
  return (
    <div className="stack">
      <div className="group-tree">
        <ul>
          {chain.reduceRight<ReactNode>(
            (below, owner) => (
              <OwnerNode owner={owner} group={group}>
                {below}
              </OwnerNode>
            ),
            <Here group={group} />,
          )}
        </ul>
      </div>
      <p className="small soft">
        {whyItEnds(group)} {group.as_of && `As of ${showMoment(group.as_of)}.`} Companies are linked where the number
        and the name of an owner agree with the register.
      </p>
    </div>
  )
}

/** A company above, with its owners where it is the last. Those of the companies between are not known here. */
function OwnerNode({ owner, group, children }: { owner: GroupOwner; group: CompanyGroup; children: ReactNode }) {
  const isTop = owner === group.ancestors.at(-1)
  return (
    <li>
      <div className="node">
        <OwnerName owner={owner} />
      </div>
      {isTop && <OwnersOf title={`Owners of ${owner.name ?? 'this owner'}`} owners={group.top_owners} />}
      <ul className={owner.control === 'parent' ? undefined : 'dashed'}>{children}</ul>
    </li>
  )
}

/** The owners of one company that are no part of the chain: holders of less, trustees, and people. */
function OwnersOf({ title, owners }: { title: string; owners: GroupOwner[] }) {
  const id = useId()
  if (owners.length === 0) return null
  return (
    <div className="owners">
      <span className="small soft" id={id}>
        {title}
      </span>
      <ul aria-labelledby={id}>
        {owners.map((owner, index) => (
          <li key={index} className={isDashed(owner) ? 'dashed' : undefined}>
            <OwnerName owner={owner} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Not ownership, or not proven to be a majority. */
function isDashed({ control }: Pick<GroupOwner, 'control'>): boolean {
  return control === 'through_others' || control === 'more_than_quarter'
}

function OwnerName({ owner }: { owner: GroupOwner }) {
  const { company_number: number } = owner
  const name = owner.name ?? (owner.kind === 'person' ? 'Name withheld' : 'A person whose details are protected')
  const registered = [owner.country_registered, owner.registration_number].filter(Boolean).join(', ')
  return (
    <>
      <strong>{number ? <Link href={`/companies/${number}`}>{name}</Link> : name}</strong>
      {number ? <span className="mono soft">{number}</span> : registered && <span className="soft">{registered}</span>}
      {owner.kind === 'organisation' && <Badge tone="abroad">Not matched to a UK company</Badge>}
      {number && <StatusToNotice company={owner} />}
      <ControlBadge control={owner.control} />
      {owner.majority_claimed_twice && <Badge tone="warn">Claims the majority</Badge>}
    </>
  )
}

function ControlBadge({ control }: Pick<GroupOwner, 'control'>) {
  if (control === 'more_than_quarter') return <Badge tone="warn">Over 25%, majority not proven</Badge>
  if (control === 'holder') return <Badge>Half or less</Badge>
  return control === 'through_others' ? <Badge>As trustee or firm</Badge> : null
}

/** The company itself with what it owns, then its sisters. */
function Here({ group }: { group: CompanyGroup }) {
  const [parent] = group.ancestors
  const others = group.owners.filter((owner) => !parent || !isSame(owner, parent))
  return (
    <>
      <li>
        <div className="node here" aria-current="true">
          <strong>{group.company_name}</strong>
          <span className="mono soft">{group.company_number}</span>
        </div>
        <OwnersOf title={`${parent ? 'Other owners' : 'Owners'} of ${group.company_name}`} owners={others} />
        {group.children && group.children.total > 0 && (
          <ul>
            <Owned group={group} list="children" words="companies that it owns" />
          </ul>
        )}
      </li>
      {group.siblings && group.siblings.total > 0 && <Owned group={group} list="siblings" words="sister companies" />}
    </>
  )
}

/** The same owner may have been notified twice. */
function isSame(one: GroupOwner, other: GroupOwner): boolean {
  return (one.company_number ?? one.name) === (other.company_number ?? other.name)
}

function Owned({ group, list, words }: { group: CompanyGroup; list: List; words: string }) {
  const number = group.company_number
  const pages = useInfiniteQuery({
    queryKey: ['company', number, 'group', list],
    queryFn: async ({ pageParam, signal }) => {
      const query = { [`${list}_cursor`]: pageParam }
      const body = await callApi<CompanyGroup>('GET', `/v1/companies/${number}/group`, { query, signal })
      return body[list] ?? EMPTY
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    // The first page came with the group.
    initialData: { pages: [group[list] ?? EMPTY], pageParams: [undefined] },
    staleTime: Number.POSITIVE_INFINITY,
  })
  const shown = pages.data.pages.flatMap(({ data }) => data)
  const total = group[list]?.total ?? 0
  // From here on the service does not count.
  const left = total < 1_000 ? total - shown.length : 0
  return (
    <>
      {shown.map((company) => (
        <CompanyNode key={company.company_number} company={company} />
      ))}
      {pages.hasNextPage && (
        <li>
          <Button look="quiet" small busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {left > 0 ? `Show more of ${plural(left, 'other')}` : 'Show more'}{' '}
            <span className="visually-hidden">{words}</span>
          </Button>
        </li>
      )}
    </>
  )
}

const EMPTY = { data: [], total: 0, next_cursor: null }

function CompanyNode({ company }: { company: GroupCompany }) {
  const { company_number: number, company_name: name, control } = company
  return (
    <li className={isDashed(company) ? 'dashed' : undefined}>
      <div className="node">
        <Link href={`/companies/${number}`}>{name}</Link>
        <span className="mono soft">{number}</span>
        <StatusToNotice company={company} />
        <ControlBadge control={control} />
      </div>
    </li>
  )
}
