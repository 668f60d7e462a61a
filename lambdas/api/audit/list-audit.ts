import { instantText } from '../../core/clock/clock';
import { ADMIN_SCOPE } from '../../core/contracts/roles';
import { compactInstant, minuteOf, minuteStartMs } from '../../core/contracts/tables';
import type { AuditRecordView } from '../../core/http/openapi/access';
import { ListAuditQuery } from '../../core/http/queries';
import { type AuditRecord, DEPLOYMENT_AUDIT } from '../../core/domain/audit';
import { filteredPage, openCursor, pageView } from '../http/paging';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/**
 * 200 with a page of the project's audit records, newest first. An operator's token gets those of the
 * deployment among them.
 */
export async function listAudit(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { from, to, ...query } = readQuery(request, ListAuditQuery);
  const isOperator = request.identity?.scopes.includes(ADMIN_SCOPE) === true;
  const projects = [request.project, ...(isOperator ? [DEPLOYMENT_AUDIT] : [])];
  const bounds = {
    // The id of a denial begins with its minute.
    fromId: from === undefined ? undefined : compactInstant(minuteStartMs(minuteOf(from))),
    toId: to === undefined ? undefined : compactInstant(to),
  };
  const page = await filteredPage<AuditRecord>({
    after: await openCursor(query.cursor, request, deps.secret),
    limit: query.limit,
    read: async (after, limit) => {
      const pages = await Promise.all(
        projects.map((project) => deps.audit.list(project, { ...bounds, after, limit })),
      );
      return newest(pages, limit);
    },
    positionOf: idOf,
    keep: (records) =>
      records.filter(({ atMs }) => atMs >= (from ?? 0) && atMs < (to ?? Number.POSITIVE_INFINITY)),
  });
  return { status: 200, body: await pageView(page, { view, positionOf: idOf }, request, deps) };
}

type RecordPage = Awaited<ReturnType<ApiDeps['audit']['list']>>;

/** Several lists as one. It ends where the first of them does that has a next page. */
function newest(pages: readonly RecordPage[], limit: number): { rows: AuditRecord[]; nextAfter?: string } {
  const known = pages.flatMap(({ nextAfter }) => nextAfter ?? []);
  const lowest = known.length === 0 ? '' : known.reduce((highest, id) => (id > highest ? id : highest));
  const all = pages
    .flatMap(({ records }) => records)
    .filter(({ id }) => id >= lowest)
    .toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const rows = all.slice(0, limit);
  const isCut = rows.length < all.length;
  const nextAfter = isCut ? rows.at(-1)?.id : lowest || undefined;
  return { rows, ...(nextAfter !== undefined && { nextAfter }) };
}

const idOf = ({ id }: AuditRecord): string => id;

const view = ({ atMs, by, what, outcome, resource, detail, note }: AuditRecord): AuditRecordView => ({
  at: instantText(atMs),
  by,
  what,
  outcome,
  resource,
  detail: detail ?? null,
  note: note ?? null,
});
