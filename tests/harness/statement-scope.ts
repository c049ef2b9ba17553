import { type Node, parse, type SelectStmt } from 'libpg-query';
import type { Seen } from './statement-log.ts';

/** Where tables stand: those that are spread over machines, by the column that says on which, and those of one machine alone. */
export type Layout = {
  columns: ReadonlyMap<string, string[]>;
  spread: ReadonlyMap<string, string>;
  local: ReadonlySet<string>;
};

/** A place where a value stands: a column of one table in the statement, or a value that was given. */
type Term = string;
/** `to` has the value of each of `from`. A column of a union has it when all its arms have. */
type Link = { from: Term[]; to: Term };
export type Crossing = { what: string; isByKey: boolean };
type Table = { name: string; at: string; isSpread: boolean };
/** What can be named in one part of a statement: alias to its columns. */
type Scope = { outer?: Scope; named: Map<string, Output>; own: Set<string> };
type With = Map<string, Output>;
/** The columns that a query answers. */
type Output = Map<string, Term | undefined>;

const strings = (nodes: Node[] = []) => nodes.map((node) => ('String' in node ? node.String.sval! : '*'));

/**
 * Whether Citus can send the statement to the one machine that has a user's rows: each table that is spread is bound by
 * equality to one and the same value, directly or by the columns of tables so bound, and no table of the first machine
 * alone is in it. Answers what is not so.
 */
export async function crossings({ text, values }: Seen, layout: Layout): Promise<Crossing[]> {
  const { stmts } = await parse(text);
  return (stmts ?? []).flatMap(({ stmt }) => new Statement(values, layout).check(stmt!));
}

class Statement {
  readonly #values: (string | null)[];
  readonly #layout: Layout;
  readonly #tables: Table[] = [];
  readonly #links: Link[] = [];
  /** What keys say besides: a row that names another is its user's. */
  readonly #keys: Link[] = [];
  /** What the rows of a union name by their keys, by the column of the union. */
  readonly #ofUnion = new Map<Term, Term>();
  #next = 0;

  constructor(values: (string | null)[], layout: Layout) {
    this.#values = values;
    this.#layout = layout;
  }

  check(stmt: Node): Crossing[] {
    this.#query(stmt, undefined, new Map());
    const written = this.#unbound(this.#links);
    const meant = this.#unbound([...this.#links, ...this.#keys]);
    return written.map((what) => ({ what, isByKey: !meant.includes(what) }));
  }

  #unbound(links: Link[]): string[] {
    const known = knownBy(links);
    const spread = this.#tables.filter(({ isSpread }) => isSpread);
    const bound = spread.map(({ name, at }) => ({
      name,
      to: known.get(`${at}.${this.#layout.spread.get(name)}`),
    }));
    const found = bound
      .filter(({ to }) => to === undefined)
      .map(({ name }) => `${name} of more than one user`);
    if (new Set(bound.map(({ to }) => to)).size > 1 && found.length === 0) found.push('two users');
    const local = this.#tables.filter(({ name }) => this.#layout.local.has(name));
    if (spread.length > 0) found.push(...local.map(({ name }) => `${name} stands elsewhere`));
    return [...new Set(found)].sort();
  }

  #query(node: Node, outer: Scope | undefined, above: With): Output {
    if ('SelectStmt' in node) return this.#select(node.SelectStmt, outer, above);
    if ('InsertStmt' in node) return this.#insert(node.InsertStmt, outer, above);
    if ('UpdateStmt' in node) return this.#change(node.UpdateStmt, outer, above);
    if ('DeleteStmt' in node) return this.#change(node.DeleteStmt, outer, above);
    if ('MergeStmt' in node) throw new Error('Nothing is known here of MERGE');
    return new Map();
  }

  #with(clause: SelectStmt['withClause'], outer: Scope | undefined, above: With): With {
    const within = new Map(above);
    for (const node of clause?.ctes ?? []) {
      if (!('CommonTableExpr' in node)) continue;
      const { ctename, ctequery, aliascolnames } = node.CommonTableExpr;
      // One that names itself finds nothing there, and is bound by nothing.
      const output = this.#query(ctequery!, outer, within);
      within.set(ctename!, renamed(output, strings(aliascolnames)));
    }
    return within;
  }

  #select(stmt: SelectStmt, outer: Scope | undefined, above: With): Output {
    const within = this.#with(stmt.withClause, outer, above);
    if (stmt.larg && stmt.rarg) {
      const arms = [stmt.larg, stmt.rarg].map((arm) => this.#select(arm, outer, within));
      return this.#union(arms[0]!, arms[1]!);
    }
    const scope: Scope = newScope(outer);
    for (const item of stmt.fromClause ?? []) this.#from(item, scope, within);
    this.#conditions(stmt.whereClause, scope, within);
    const rest = [stmt.havingClause, stmt.limitCount, stmt.limitOffset, ...(stmt.sortClause ?? [])];
    for (const node of [...rest, ...(stmt.groupClause ?? []), ...(stmt.valuesLists ?? [])])
      this.#below(node, scope, within);
    return this.#answers(stmt.targetList, scope, within);
  }

  #union(left: Output, right: Output): Output {
    const arms = [...right.values()];
    return new Map(
      [...left].map(([name, term], index): [string, Term | undefined] => {
        const other = arms[index];
        if (!term || !other) return [name, undefined];
        const to = `u${++this.#next}`;
        this.#links.push({ from: [term, other], to });
        const [one, two] = [this.#userOf(term), this.#userOf(other)];
        if (one && two) {
          this.#keys.push({ from: [one, two], to: `${to}.user` });
          this.#ofUnion.set(to, `${to}.user`);
        }
        return [name, to];
      }),
    );
  }

  #answers(targets: Node[] = [], scope: Scope, within: With): Output {
    const output: Output = new Map();
    for (const node of targets) {
      if (!('ResTarget' in node)) continue;
      const { name, val } = node.ResTarget;
      this.#below(val, scope, within);
      const field = val && 'ColumnRef' in val ? strings(val.ColumnRef.fields) : [];
      if (field.at(-1) === '*') {
        for (const [alias, columns] of scope.named) {
          if (field.length > 1 && field[0] !== alias) continue;
          for (const [column, term] of columns) output.set(column, term);
        }
      } else output.set(name ?? field.at(-1) ?? `?${output.size}`, this.#term(val, scope));
    }
    return output;
  }

  #insert(
    stmt: Extract<Node, { InsertStmt: unknown }>['InsertStmt'],
    outer: Scope | undefined,
    above: With,
  ): Output {
    const within = this.#with(stmt.withClause, outer, above);
    const scope: Scope = newScope(outer);
    const at = this.#table(stmt.relation!, scope, within);
    const name = stmt.relation!.relname!;
    const into =
      stmt.cols?.map((node) => ('ResTarget' in node ? node.ResTarget.name! : '')) ??
      this.#layout.columns.get(name) ??
      [];
    const column = this.#layout.spread.get(name);
    const index = column === undefined ? -1 : into.indexOf(column);
    const query = stmt.selectStmt && 'SelectStmt' in stmt.selectStmt ? stmt.selectStmt.SelectStmt : undefined;
    if (query?.valuesLists) {
      const from = query.valuesLists.map((list) => {
        const items = 'List' in list ? (list.List.items ?? []) : [];
        for (const item of items) this.#below(item, scope, within);
        return this.#term(items[index], scope) ?? 'unknown';
      });
      this.#links.push({ from, to: `${at}.${column}` });
    } else if (query) {
      const from = [...this.#select(query, outer, within).values()][index];
      if (from) this.#links.push({ from: [from], to: `${at}.${column}` });
    }
    for (const node of stmt.onConflictClause?.targetList ?? []) this.#below(node, scope, within);
    return this.#answers(stmt.returningClause?.exprs ?? [], scope, within);
  }

  #change(
    stmt: Extract<Node, { UpdateStmt: unknown }>['UpdateStmt'] & { usingClause?: Node[] },
    outer: Scope | undefined,
    above: With,
  ): Output {
    const within = this.#with(stmt.withClause, outer, above);
    const scope: Scope = newScope(outer);
    this.#table(stmt.relation!, scope, within);
    for (const item of [...(stmt.fromClause ?? []), ...(stmt.usingClause ?? [])])
      this.#from(item, scope, within);
    this.#conditions(stmt.whereClause, scope, within);
    for (const node of stmt.targetList ?? []) this.#below(node, scope, within);
    return this.#answers(stmt.returningClause?.exprs ?? [], scope, within);
  }

  #from(item: Node, scope: Scope, within: With): void {
    if ('RangeVar' in item) this.#table(item.RangeVar, scope, within);
    else if ('RangeSubselect' in item) {
      const { subquery, alias, lateral } = item.RangeSubselect;
      const output = this.#query(subquery!, lateral ? scope : scope.outer, within);
      scope.named.set(alias?.aliasname ?? `?${++this.#next}`, renamed(output, strings(alias?.colnames)));
    } else if ('RangeFunction' in item) {
      this.#below(item, scope, within);
      const { alias } = item.RangeFunction;
      if (alias) scope.named.set(alias.aliasname!, new Map());
    } else if ('JoinExpr' in item) this.#join(item.JoinExpr, scope, within);
    else throw new Error(`Nothing is known here of ${Object.keys(item)}`);
  }

  /** What an outer join leaves empty is bound by the other side, and binds it to nothing. */
  #join(join: Extract<Node, { JoinExpr: unknown }>['JoinExpr'], scope: Scope, within: With): void {
    this.#from(join.larg!, scope, within);
    const before = this.#next;
    this.#from(join.rarg!, scope, within);
    if (join.usingClause) throw new Error('Nothing is known here of USING');
    if (join.jointype === 'JOIN_LEFT')
      this.#conditions(join.quals, scope, within, (term) => isNewer(term, before));
    else if (join.jointype === 'JOIN_INNER') this.#conditions(join.quals, scope, within);
    else this.#below(join.quals, scope, within);
  }

  #table(range: Extract<Node, { RangeVar: unknown }>['RangeVar'], scope: Scope, within: With): string {
    const { schemaname, relname = '', alias } = range;
    const shown = alias?.aliasname ?? relname;
    const at = `t${++this.#next}`;
    const output = schemaname === undefined ? within.get(relname) : undefined;
    if (output) {
      scope.named.set(shown, output);
      return at;
    }
    const name = schemaname && schemaname !== 'public' ? `${schemaname}.${relname}` : relname;
    this.#tables.push({ name, at, isSpread: this.#layout.spread.has(name) });
    scope.own.add(at);
    const columns = this.#layout.columns.get(name) ?? [];
    scope.named.set(shown, new Map(columns.map((column) => [column, `${at}.${column}`])));
    return at;
  }

  /** The equalities that hold for every row; of another kind of condition only the queries in it are read. */
  #conditions(node: Node | undefined, scope: Scope, within: With, isOpen = (_: Term) => true): void {
    if (!node) return;
    if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR') {
      for (const each of node.BoolExpr.args ?? []) this.#conditions(each, scope, within, isOpen);
      return;
    }
    if ('SubLink' in node && node.SubLink.subLinkType === 'ANY_SUBLINK') {
      const [answered] = this.#query(node.SubLink.subselect!, scope, within).values();
      const tested = this.#term(node.SubLink.testexpr, scope);
      if (answered && tested) this.#names(answered, tested);
      return;
    }
    this.#below(node, scope, within);
    if (!('A_Expr' in node) || node.A_Expr.kind !== 'AEXPR_OP' || strings(node.A_Expr.name)[0] !== '=')
      return;
    const [left, right] = [this.#term(node.A_Expr.lexpr, scope), this.#term(node.A_Expr.rexpr, scope)];
    if (!left || !right) return;
    if (isOpen(left)) this.#link(right, left, scope);
    if (isOpen(right)) this.#link(left, right, scope);
  }

  /** A condition binds the tables that stand beside it, and nothing of what stands around or within them. */
  #link(from: Term, to: Term, scope: Scope): void {
    if (!scope.own.has(placeOf(to))) return;
    this.#links.push({ from: [from], to });
    this.#names(from, to);
  }

  /** Both are tables of users, and one has the key of the other. */
  #names(from: Term, to: Term): void {
    const [there, here] = [this.#userOf(from), this.#userOf(to)];
    if (there && here) this.#keys.push({ from: [there], to: here });
  }

  /** Where it says whose a row is that the key in a column names. */
  #userOf(key: Term): Term | undefined {
    const table = this.#tables.find(({ at, isSpread }) => isSpread && at === placeOf(key));
    if (!table) return this.#ofUnion.get(key);
    return /[._]id$/.test(key) ? `${table.at}.${this.#layout.spread.get(table.name)}` : undefined;
  }

  #term(node: Node | undefined, scope: Scope): Term | undefined {
    if (!node) return undefined;
    if ('TypeCast' in node) return this.#term(node.TypeCast.arg, scope);
    if ('ParamRef' in node) return `=${this.#values[node.ParamRef.number! - 1]}`;
    if ('A_Const' in node) return node.A_Const.sval ? `=${node.A_Const.sval.sval}` : undefined;
    if ('ColumnRef' in node) return this.#column(strings(node.ColumnRef.fields), scope);
    return undefined;
  }

  #column(fields: string[], scope: Scope | undefined): Term | undefined {
    if (!scope) return undefined;
    const column = fields.at(-1)!;
    const alias = fields.at(-2);
    const owner =
      alias === undefined
        ? [...scope.named.values()].find((columns) => columns.has(column))
        : scope.named.get(alias);
    return owner ? owner.get(column) : this.#column(fields, scope.outer);
  }

  /** The queries within a node, wherever they stand in it. */
  #below(node: unknown, scope: Scope, within: With): void {
    if (Array.isArray(node)) for (const each of node) this.#below(each, scope, within);
    else if (node && typeof node === 'object') {
      if ('SelectStmt' in node) this.#select(node.SelectStmt as SelectStmt, scope, within);
      else for (const each of Object.values(node)) this.#below(each, scope, within);
    }
  }
}

/** The value that each term has, as far as one follows from the other. */
function knownBy(links: Link[]): Map<Term, string> {
  const known = new Map<Term, string>();
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const { from, to } of links) {
      const values = from.map((term) => (term.startsWith('=') ? term : known.get(term)));
      if (known.has(to) || values.length === 0 || values[0] === undefined || new Set(values).size > 1)
        continue;
      known.set(to, values[0]);
      isNew = true;
    }
  }
  return known;
}

const placeOf = (term: Term) => term.split('.')[0]!;

const newScope = (outer?: Scope): Scope => ({ outer, named: new Map(), own: new Set() });

const isNewer = (term: Term, than: number) => Number(/^[tu](\d+)/.exec(term)?.[1] ?? 0) > than;

const renamed = (output: Output, names: string[]): Output =>
  names.length === 0
    ? output
    : new Map([...output.values()].map((term, index) => [names[index] ?? `?${index}`, term]));
