/** Words that cannot be a column unless quoted: they begin or divide something. */
export const reserved = new Set(['SELECT', 'FROM', 'WHERE', 'UNION', 'INTERSECT', 'EXCEPT', 'WITH', 'SETTINGS', 'FORMAT', 'INTO', 'JOIN', 'PREWHERE', 'HAVING', 'LIMIT', 'OFFSET', 'OVER', 'WINDOW', 'USING', 'DISTINCT', 'GLOBAL', 'ANY', 'EXISTS', 'GROUP', 'ORDER', 'BY',
  'AND', 'OR', 'NOT', 'IN', 'LIKE', 'ILIKE', 'REGEXP', 'BETWEEN', 'IS', 'CASE', 'WHEN', 'THEN', 'ELSE', 'END', 'AS', 'ASC', 'DESC', 'NULLS', 'INTERVAL', 'DIV', 'MOD']);
