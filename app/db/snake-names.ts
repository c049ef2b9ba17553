import {
  CamelCasePlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  PostgresDialect,
  PostgresQueryCompiler,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely';

/** As they are called here, by how the database calls them: its columns, and what statements of ours give a name. */
const called = new Map<string, string>();

/**
 * Kysely's plugin copies every query to rename what is in it, and asks again for each row how its columns are called. Here
 * it renames what comes back, and tells the names. What is inside of a value stays as it is.
 */
class CamelCaseResults extends CamelCasePlugin {
  override transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node;
  }

  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const names = Object.keys(result.rows[0] ?? {}).map((name) => [name, this.nameHere(name)] as const);
    if (names.every(([name, here]) => name === here)) return result;
    const rename = (row: UnknownRow) => {
      const renamed: UnknownRow = {};
      for (const [name, here] of names) renamed[here] = row[name];
      return renamed;
    };
    return { ...result, rows: result.rows.map(rename) };
  }

  nameInDatabase(name: string): string {
    return this.snakeCase(name);
  }

  nameHere(name: string): string {
    const known = called.get(name);
    if (known !== undefined) return known;
    const here = this.camelCase(name);
    called.set(name, here);
    return here;
  }
}

export const names = new CamelCaseResults();
/** As they stand in a statement. They are those of our tables: few, and none comes from a person. */
const written = new Map<string, string>();

class SnakeCaseCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    let text = written.get(name);
    if (text === undefined) {
      text = super.sanitizeIdentifier(names.nameInDatabase(name));
      written.set(name, text);
    }
    return text;
  }
}

/** Postgres whose names are in camelCase here: they are renamed as a statement is written down. */
export class SnakeCaseDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return new SnakeCaseCompiler();
  }
}
