//! The text form: `fp16 && (arch(intel_gpu_pvc) || !cap(CooperativeMatrixKHR))`.

use std::fmt::{self, Write};

use super::driver_version::parts_of_number;
use super::limit::{Sign, is_driver, is_version, number_text, parse_number};
use super::names::is_of_feature;
use super::{
    ConditionError, DEVICE, DRIVER, Expr, FeatureName, Leaf, LeafKind, Limit, MAX_DEPTH, MAX_NODES, Numbers,
};

/// The names of leaves with numbers. Constants have no names: they are written as ids.
pub trait LeafNames {
    /// Returns the number of a name.
    fn number(&self, kind: LeafKind, name: &str) -> Option<u32>;
    /// Returns the name of a leaf with a number. [`number`](LeafNames::number) must be its inverse.
    fn name(&self, leaf: Leaf) -> Option<&str>;
    /// Returns the number of a name among the several of a leaf, after the numbers `before`.
    fn numbered(&self, _kind: LeafKind, _before: &[u32], _name: &str) -> Option<u32> {
        None
    }
    /// Returns the name of a number among the several of a leaf, after the numbers `before`.
    /// [`numbered`](LeafNames::numbered) must be its inverse.
    fn name_of_number(&self, _kind: LeafKind, _before: &[u32], _number: u32) -> Option<String> {
        None
    }
    /// Returns true if devices may have a number with this name.
    fn is_number(&self, _name: FeatureName) -> bool {
        false
    }
    /// Returns the leaves that stand for a name of another kind, as they are written in conditions.
    fn other_texts(&self, _name: &str) -> Vec<String> {
        Vec::new()
    }
    /// Returns names similar to an unknown one, the likeliest first.
    fn similar(&self, _kind: LeafKind, _name: &str) -> Vec<String> {
        Vec::new()
    }
}

/// The word before a leaf in parentheses, for each kind.
const KINDS: [(&str, LeafKind); 10] = [
    ("arch", LeafKind::Architecture),
    ("aspect", LeafKind::Aspect),
    ("cap", LeafKind::Capability),
    ("ext", LeafKind::Extension),
    ("host", LeafKind::Host),
    ("target", LeafKind::Target),
    ("architecture", LeafKind::Comparison),
    ("feature", LeafKind::Feature),
    ("limit", LeafKind::Limit),
    ("constant", LeafKind::Constant),
];

fn kind_of(word: &str) -> Option<LeafKind> {
    KINDS.iter().find(|(name, _)| *name == word).map(|&(_, kind)| kind)
}

fn word_of(kind: LeafKind) -> &'static str {
    KINDS.iter().find(|&&(_, other)| other == kind).map_or("", |&(name, _)| name)
}

/// Returns true if text can name a leaf: a letter or underscore, then letters, digits and underscores.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') && text.chars().all(is_word)
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

impl Expr {
    /// Parses the text form. Errors have the column.
    pub fn parse(text: &str, names: &dyn LeafNames) -> Result<Expr, ConditionError> {
        let mut parser =
            Parser { lexer: Lexer { rest: text, column: 1 }, names, operands: vec![], waiting: vec![] };
        loop {
            parser.operand()?;
            if parser.operator()? == AfterOperand::End {
                return parser.finish();
            }
        }
    }

    /// Displays the text form with the fewest parentheses. Parsing the text restores this expression, except
    /// for the nesting of its chains.
    pub fn display<'a>(&'a self, names: &'a dyn LeafNames) -> impl fmt::Display + 'a {
        TextForm { expr: self, names }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Token<'a> {
    Not,
    And,
    Or,
    Open,
    Close,
    Compare(Sign),
    /// A name, a number, or `%` and a number.
    Word(&'a str),
    Other(&'a str),
    End,
}

#[derive(Clone, Copy)]
struct Lexer<'a> {
    rest: &'a str,
    column: usize,
}

impl<'a> Lexer<'a> {
    /// Returns the next token and its column.
    fn next(&mut self) -> (Token<'a>, usize) {
        let trimmed = self.rest.trim_start();
        self.skip(self.rest.len() - trimmed.len());
        let column = self.column;
        let Some(first) = self.rest.chars().next() else { return (Token::End, column) };
        if let Some((text, sign)) = Sign::TEXTS.into_iter().find(|(text, _)| self.rest.starts_with(text)) {
            self.skip(text.len());
            return (Token::Compare(sign), column);
        }
        let token = |length: usize| (&self.rest[..length], length);
        let (text, length) = match self.rest.as_bytes() {
            [b'&', b'&', ..] | [b'|', b'|', ..] => token(2),
            _ if is_word(first) || first == '%' => {
                let sigil = usize::from(first == '%');
                let end = self.rest[sigil..].find(|c| !is_word(c));
                token(end.map_or(self.rest.len(), |end| end + sigil))
            }
            _ => token(first.len_utf8()),
        };
        self.skip(length);
        let token = match text {
            "!" => Token::Not,
            "&&" => Token::And,
            "||" => Token::Or,
            "(" => Token::Open,
            ")" => Token::Close,
            _ if is_word(first) || first == '%' => Token::Word(text),
            _ => Token::Other(text),
        };
        (token, column)
    }

    /// Returns the text of a feature's name: its characters, and the colon between its parts.
    fn feature(&mut self) -> (&'a str, usize) {
        self.skip(self.rest.len() - self.rest.trim_start().len());
        let (rest, column) = (self.rest, self.column);
        let end = rest.find(|character| !is_of_feature(character) && character != ':').unwrap_or(rest.len());
        self.skip(end);
        (&rest[..end], column)
    }

    fn skip(&mut self, bytes: usize) {
        let (skipped, rest) = self.rest.split_at(bytes);
        self.column += skipped.chars().count();
        self.rest = rest;
    }
}

/// An operator or parenthesis that expects an operand. Those that bind tighter are greater.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum PendingOperator {
    Open { column: usize },
    Or,
    And,
    Not,
}

#[derive(PartialEq)]
enum AfterOperand {
    Binary,
    End,
}

/// Operator precedence parser with explicit stacks, so that nested text causes no recursion.
struct Parser<'a> {
    lexer: Lexer<'a>,
    names: &'a dyn LeafNames,
    /// Each operand with its depth.
    operands: Vec<(Expr, usize)>,
    waiting: Vec<PendingOperator>,
}

impl<'a> Parser<'a> {
    /// Parses up to the end of one leaf or constant.
    fn operand(&mut self) -> Result<(), ConditionError> {
        loop {
            let (token, column) = self.lexer.next();
            match token {
                Token::Not => self.waiting.push(PendingOperator::Not),
                Token::Open => self.waiting.push(PendingOperator::Open { column }),
                Token::Word(word) => {
                    let expr = self.word(word, column)?;
                    let depth = depth(&expr);
                    self.operands.push((expr, depth));
                    return Ok(());
                }
                other => {
                    return Err(syntax(
                        column,
                        "an aspect, a number, `arch(`, `cap(`, `ext(`, `host(`, `target(`, `architecture(`, `feature(`, `limit(`, `driver(`, `!` or `(`",
                        other,
                    ));
                }
            }
        }
    }

    /// Parses the tokens after an operand: closing parentheses, then an operator or the end.
    fn operator(&mut self) -> Result<AfterOperand, ConditionError> {
        loop {
            let (token, column) = self.lexer.next();
            let operator = match token {
                Token::And => PendingOperator::And,
                Token::Or => PendingOperator::Or,
                Token::Close => {
                    self.apply(PendingOperator::Or)?;
                    self.waiting.pop().ok_or(ConditionError::Unopened { column })?;
                    continue;
                }
                Token::End => return Ok(AfterOperand::End),
                other => return Err(syntax(column, "`&&`, `||`, `)` or the end", other)),
            };
            // An equal operator stays on the stack, so that chains nest to the right.
            self.apply(if operator == PendingOperator::Or {
                PendingOperator::And
            } else {
                PendingOperator::Not
            })?;
            self.waiting.push(operator);
            return Ok(AfterOperand::Binary);
        }
    }

    fn finish(mut self) -> Result<Expr, ConditionError> {
        self.apply(PendingOperator::Or)?;
        if let Some(PendingOperator::Open { column }) = self.waiting.pop() {
            return Err(ConditionError::Unclosed { column });
        }
        let expr = self.operands.pop().map_or(Expr::True, |(expr, _)| expr);
        expr.check_size()?;
        Ok(expr)
    }

    /// Applies the operators on the stack that bind at least as tightly as `least`, up to the last open
    /// parenthesis.
    fn apply(&mut self, least: PendingOperator) -> Result<(), ConditionError> {
        while let Some(operator) = self.waiting.pop_if(|waiting| *waiting >= least) {
            let Some((right, mut depth)) = self.operands.pop() else { break };
            let right = Box::new(right);
            let expr = if operator == PendingOperator::Not {
                Expr::Not(right)
            } else {
                let Some((left, left_depth)) = self.operands.pop() else { break };
                depth = depth.max(left_depth);
                let build = if operator == PendingOperator::And { Expr::And } else { Expr::Or };
                build(Box::new(left), right)
            };
            if depth >= MAX_DEPTH {
                return Err(ConditionError::TooDeep);
            }
            self.operands.push((expr, depth + 1));
        }
        if self.operands.len() > MAX_NODES { Err(ConditionError::TooLong) } else { Ok(()) }
    }

    fn word(&mut self, word: &str, column: usize) -> Result<Expr, ConditionError> {
        match word {
            "true" => return Ok(Expr::True),
            "false" => return Ok(Expr::False),
            _ => {}
        }
        let after = { self.lexer }.next().0;
        let compared = FeatureName::new(DEVICE, word).filter(|&name| self.names.is_number(name));
        match (compared, after) {
            (Some(name), _) => return self.comparison(name),
            (None, Token::Compare(_)) => return self.with_own_name(LeafKind::Limit, word, column),
            (None, Token::Open) if word == DRIVER => return self.driver(),
            (None, _) => {}
        }
        // An aspect may have the name of a kind, but has no parenthesis after it.
        let is_called = after == Token::Open;
        let is_aspect = |kind: LeafKind| {
            (kind.has_names() || kind.has_numbers())
                && !is_called
                && self.names.number(LeafKind::Aspect, word).is_some()
        };
        let Some(kind) = kind_of(word).filter(|&kind| !is_aspect(kind)) else {
            if !is_name(word) {
                return Err(ConditionError::Syntax {
                    column,
                    expected: "a name; write numbers as in `aspect(5)` and ids as in `constant(%5)`",
                    found: format!("`{word}`"),
                });
            }
            return self.named(LeafKind::Aspect, word, column);
        };
        match self.lexer.next() {
            (Token::Open, _) if kind.has_numbers() => return self.with_numbers(kind),
            (Token::Open, _) if matches!(kind, LeafKind::Feature | LeafKind::Limit) => {
                return self.feature(kind);
            }
            (Token::Open, _) => {}
            (other, column) => return Err(syntax(column, "`(`", other)),
        }
        let expr = match (self.lexer.next(), kind) {
            ((Token::Word(id), column), LeafKind::Constant) if id.starts_with('%') => {
                Leaf::Constant(number(kind, &id[1..], column)?).into()
            }
            ((other, column), LeafKind::Constant) => {
                return Err(syntax(column, "an id, such as `%12`", other));
            }
            ((Token::Word(name), column), _) if kind.has_names() => self.with_own_name(kind, name, column)?,
            ((other, column), _) if kind.has_names() => return Err(syntax(column, "a name", other)),
            ((Token::Word(name), column), _) if is_name(name) => self.named(kind, name, column)?,
            ((Token::Word(digits), column), _) => {
                let leaf = kind.leaf(number(kind, digits, column)?);
                leaf.ok_or_else(|| syntax(column, "a name", Token::Word(digits)))?.into()
            }
            ((other, column), _) => return Err(syntax(column, "a name or a number", other)),
        };
        match self.lexer.next() {
            (Token::Close, _) => Ok(expr),
            (other, column) => Err(syntax(column, "`)`", other)),
        }
    }

    /// Parses a leaf with several numbers, after its opening parenthesis.
    fn with_numbers(&mut self, kind: LeafKind) -> Result<Expr, ConditionError> {
        let (mut numbers, mut first) = (Vec::new(), None);
        loop {
            let (word, at) = match self.lexer.next() {
                (Token::Word(word), at) => (word, at),
                (other, at) => return Err(syntax(at, "a name or a number", other)),
            };
            numbers.push(match self.names.numbered(kind, &numbers, word).filter(|_| is_name(word)) {
                Some(number) => number,
                None => number(kind, word, at)?,
            });
            let column = *first.get_or_insert(at);
            match self.lexer.next() {
                (Token::Other(","), _) => {}
                (Token::Close, _) => {
                    let leaf = kind.with_numbers(&numbers);
                    return leaf.map(Expr::Leaf).ok_or(ConditionError::NoNumbers { column, kind });
                }
                (other, at) => return Err(syntax(at, "`,` or `)`", other)),
            }
        }
    }

    /// Parses a feature or a limit, after its opening parenthesis.
    fn feature(&mut self, kind: LeafKind) -> Result<Expr, ConditionError> {
        let (name, column) = self.lexer.feature();
        if name.is_empty() {
            let (other, column) = self.lexer.next();
            return Err(syntax(column, "a provider, `:` and the name of a feature", other));
        }
        let is_limit = |&name: &FeatureName| kind == LeafKind::Limit && self.names.is_number(name);
        let limit = FeatureName::parse(name).filter(is_limit);
        let feature = match limit {
            Some(_) => None,
            None => Some(self.with_own_name(kind, name, column)?),
        };
        match (self.lexer.next(), limit, feature) {
            ((Token::Close, _), Some(name), _) => self.comparison(name),
            ((Token::Close, _), None, Some(expr)) => Ok(expr),
            ((other, column), ..) => Err(syntax(column, "`)`", other)),
        }
    }

    /// Parses a driver and the comparison of its version, if there is one.
    fn driver(&mut self) -> Result<Expr, ConditionError> {
        self.lexer.next();
        let (name, column) = match self.lexer.next() {
            (Token::Word(name), column) if is_name(name) => (name, column),
            (other, column) => return Err(syntax(column, "the name of a driver", other)),
        };
        match self.lexer.next() {
            (Token::Close, _) => {}
            (other, column) => return Err(syntax(column, "`)`", other)),
        }
        let known = FeatureName::new(DRIVER, name).filter(|&name| self.names.is_number(name));
        let name = known.ok_or_else(|| {
            let similar = self.names.similar(LeafKind::Limit, &format!("{DRIVER}:{name}"));
            let hint = format!("did you mean `{}`?", similar.join("`, `"));
            ConditionError::UnknownDriver { column, name: name.to_owned(), hint }
        })?;
        match { self.lexer }.next().0 {
            Token::Compare(_) => self.comparison(name),
            _ => Ok(Leaf::of_feature(name).into()),
        }
    }

    /// Parses the sign and the constant after a number.
    fn comparison(&mut self, name: FeatureName) -> Result<Expr, ConditionError> {
        let sign = match self.lexer.next() {
            (Token::Compare(sign), _) => sign,
            (other, column) => {
                return Err(syntax(column, "`==`, `!=`, `<`, `<=`, `>` or `>=` after a number", other));
            }
        };
        let (text, column) = self.lexer.feature();
        let expr = parse_number(name, text).and_then(|number| sign.compare(name, number));
        expr.ok_or_else(|| match text {
            "" => syntax(column, "a number", { self.lexer }.next().0),
            _ => syntax(column, expected_bound(name), Token::Word(text)),
        })
    }

    /// Returns a leaf of a kind that has names.
    fn with_own_name(&self, kind: LeafKind, name: &str, column: usize) -> Result<Expr, ConditionError> {
        if let Some(leaf) = kind.named(name) {
            return Ok(leaf.into());
        }
        let (others, similar) = (self.names.other_texts(name), self.names.similar(kind, name));
        let name = name.to_owned();
        let hint = match (&others[..], &similar[..]) {
            ([], []) => return Err(ConditionError::NoName { column, kind, name }),
            ([], similar) => format!("did you mean `{}`?", similar.join("`, `")),
            (others, _) => format!("write `{}`", others.join("` or `")),
        };
        Err(ConditionError::UnknownName { column, kind, name, hint })
    }

    fn named(&self, kind: LeafKind, name: &str, column: usize) -> Result<Expr, ConditionError> {
        if let Some(leaf) = self.names.number(kind, name).and_then(|number| kind.leaf(number)) {
            return Ok(leaf.into());
        }
        let elsewhere = KINDS.iter().find(|&&(_, other)| self.names.number(other, name).is_some());
        let similar = self.names.similar(kind, name);
        let hint = match elsewhere {
            Some((word, _)) => format!("write `{word}({name})`"),
            None if !self.names.other_texts(name).is_empty() => {
                format!("write `{}`", self.names.other_texts(name).join("` or `"))
            }
            None if similar.is_empty() => "use its number".to_owned(),
            None => format!("did you mean `{}`?", similar.join("`, `")),
        };
        Err(ConditionError::UnknownName { column, kind, name: name.to_owned(), hint })
    }
}

/// Returns the depth of a leaf, or of a comparison, which has at most four levels.
fn depth(expr: &Expr) -> usize {
    1 + expr.operands().into_iter().flatten().map(depth).max().unwrap_or(0)
}

fn number(kind: LeafKind, digits: &str, column: usize) -> Result<u32, ConditionError> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ConditionError::Syntax {
            column,
            expected: "a decimal number",
            found: format!("`{digits}`"),
        });
    }
    digits.parse().map_err(|_| ConditionError::LargeNumber { column, kind, number: digits.to_owned() })
}

fn syntax(column: usize, expected: &'static str, token: Token<'_>) -> ConditionError {
    let found = match token {
        Token::End => "the end".to_owned(),
        Token::Not => "`!`".to_owned(),
        Token::And => "`&&`".to_owned(),
        Token::Or => "`||`".to_owned(),
        Token::Open => "`(`".to_owned(),
        Token::Close => "`)`".to_owned(),
        Token::Compare(sign) => format!("`{}`", sign.text()),
        Token::Word(text) | Token::Other(text) => format!("`{text}`"),
    };
    ConditionError::Syntax { column, expected, found }
}

struct TextForm<'a> {
    expr: &'a Expr,
    names: &'a dyn LeafNames,
}

/// Returns the comparison that the first two parts of a chain are, and the chain's other parts.
fn interval<'e>(left: &Expr, right: &'e Expr, is_and: bool) -> Option<(BoundComparison, Option<&'e Expr>)> {
    let (second, others) = match (right, is_and) {
        (Expr::And(second, others), true) | (Expr::Or(second, others), false) => (&**second, Some(&**others)),
        _ => (right, None),
    };
    let (reached, missed) = if is_and { (left, second) } else { (second, left) };
    let (Expr::Leaf(Leaf::Limit(low)), Expr::Not(high)) = (reached, missed) else { return None };
    let Expr::Leaf(Leaf::Limit(high)) = **high else { return None };
    let (equal, missed) = if is_and { (*low, high) } else { (high, *low) };
    let is_driver = is_driver(equal.name());
    let sign = match equal.next() == Some(missed) {
        true if is_and => Sign::Equal,
        true if !is_driver => Sign::NotEqual,
        false
            if is_and && is_driver && equal.name() == missed.name() && equal.driver_version() == Some(0) =>
        {
            return Some((BoundComparison { sign: Sign::Less, limit: missed }, others));
        }
        _ => return None,
    };
    Some((BoundComparison { sign, limit: equal }, others))
}

/// Returns the precedence of an expression. An operand that binds less tightly than its operator needs
/// parentheses.
fn binding(expr: &Expr) -> u8 {
    match expr {
        Expr::Or(..) => 0,
        Expr::And(..) => 1,
        Expr::Not(_) | Expr::True | Expr::False | Expr::Leaf(_) => 2,
    }
}

impl fmt::Display for TextForm<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Part<'a> {
            Sign(&'static str),
            Operand(&'a Expr, u8),
        }
        let mut rest = vec![Part::Operand(self.expr, 0)];
        while let Some(part) = rest.pop() {
            let (expr, least) = match part {
                Part::Sign(sign) => {
                    f.write_str(sign)?;
                    continue;
                }
                Part::Operand(expr, least) => (expr, least),
            };
            let precedence = binding(expr);
            if precedence < least {
                f.write_str("(")?;
                rest.push(Part::Sign(")"));
            }
            match expr {
                Expr::True => f.write_str("true")?,
                Expr::False => f.write_str("false")?,
                Expr::Leaf(leaf) => self.leaf(*leaf, f)?,
                Expr::Not(operand) => match **operand {
                    // A driver in an older version is still this driver.
                    Expr::Leaf(Leaf::Limit(limit))
                        if limit.driver_version().is_some_and(|version| version > 0) =>
                    {
                        write!(f, "!({})", BoundComparison { sign: Sign::GreaterOrEqual, limit })?;
                    }
                    Expr::Leaf(Leaf::Limit(limit)) if limit.driver_version().is_none() => {
                        write!(f, "{}", BoundComparison { sign: Sign::Less, limit })?;
                    }
                    _ => {
                        f.write_str("!")?;
                        rest.push(Part::Operand(operand, precedence));
                    }
                },
                Expr::And(left, right) | Expr::Or(left, right) => {
                    let is_and = precedence == 1;
                    let sign = if is_and { " && " } else { " || " };
                    match interval(left, right, is_and) {
                        Some((comparison, others)) => {
                            write!(f, "{comparison}")?;
                            if let Some(others) = others {
                                rest.push(Part::Operand(others, precedence));
                                rest.push(Part::Sign(sign));
                            }
                        }
                        None => {
                            rest.push(Part::Operand(right, precedence));
                            rest.push(Part::Sign(sign));
                            rest.push(Part::Operand(left, precedence));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// A number of the device that compares so with the bound of a limit.
struct BoundComparison {
    sign: Sign,
    limit: Limit,
}

impl fmt::Display for BoundComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BoundComparison { mut sign, limit } = *self;
        f.write_str(&limit.subject())?;
        let Some(mut version) = limit.driver_version() else {
            return write!(f, " {} {}", sign.text(), number_text(limit.name(), limit.at_least()));
        };
        if version == 0 && sign == Sign::GreaterOrEqual {
            return Ok(());
        }
        // What follows a version at once is written by that version, which has fewer parts.
        let before = version.checked_sub(1).filter(|_| sign != Sign::Equal);
        if let Some(before) =
            before.filter(|&before| parts_of_number(before).len() < parts_of_number(version).len())
        {
            version = before;
            sign = if sign == Sign::Less { Sign::LessOrEqual } else { Sign::Greater };
        }
        write!(f, " {} {}", sign.text(), number_text(limit.name(), version))
    }
}

/// Returns the constants that can be compared with a number.
fn expected_bound(name: FeatureName) -> &'static str {
    match is_version(name) {
        _ if is_driver(name) => "a version of a driver, as in `512.744`",
        true => "a version, as in `1.4`",
        false => "a decimal number up to 2147483646",
    }
}

impl TextForm<'_> {
    fn leaf(&self, leaf: Leaf, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = leaf.kind();
        let word = word_of(kind);
        let name = match &leaf {
            Leaf::Extension(name) | Leaf::Host(name) => Some(name.as_str()),
            Leaf::Feature(name) => return write!(f, "{word}({name})"),
            Leaf::Limit(limit) => {
                return write!(f, "{}", BoundComparison { sign: Sign::GreaterOrEqual, limit: *limit });
            }
            Leaf::Target(numbers) | Leaf::Comparison(numbers) => return self.numbers(kind, *numbers, f),
            _ => self.names.name(leaf).filter(|name| is_name(name)),
        };
        match (name, leaf.number().unwrap_or_default()) {
            (_, id) if kind == LeafKind::Constant => write!(f, "{word}(%{id})"),
            (Some(name), _) if kind == LeafKind::Aspect && !is_reserved(name) => f.write_str(name),
            (Some(name), _) => write!(f, "{word}({name})"),
            (None, number) => write!(f, "{word}({number})"),
        }
    }

    /// Writes the numbers of a leaf, with names if they have some.
    fn numbers(&self, kind: LeafKind, numbers: Numbers, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sign = '(';
        f.write_str(word_of(kind))?;
        for (at, number) in numbers.as_slice().iter().enumerate() {
            f.write_char(sign)?;
            if sign == ',' {
                f.write_char(' ')?;
            }
            sign = ',';
            match self.names.name_of_number(kind, &numbers.as_slice()[..at], *number) {
                Some(name) if is_name(&name) => f.write_str(&name)?,
                _ => write!(f, "{number}")?,
            }
        }
        f.write_char(')')
    }
}

fn is_reserved(name: &str) -> bool {
    matches!(name, "true" | "false")
        || kind_of(name).is_some_and(|kind| !kind.has_names() && !kind.has_numbers())
}
