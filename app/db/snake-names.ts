import {
  CamelCasePlugin,
  type PluginTransformQueryArgs,
  PostgresDialect,
  PostgresQueryCompiler,
  type RootOperationNode,
} from 'kysely';

/** Kysely's plugin copies every query to rename what is in it. Here it renames what comes back, and tells the names. */
export class CamelCaseResults extends CamelCasePlugin {
  override transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node;
  }

  nameInDatabase(name: string): string {
    return this.snakeCase(name);
  }
}

const names = new CamelCaseResults();
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
