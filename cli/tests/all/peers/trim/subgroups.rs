//! The facts of spirv-opt's tests on operations of subgroups: each needs one of the capabilities that are all declared.

use super::case::{TrimCase, case};

/// The capabilities and the extension of all cases.
const ALL: &str = "Shader GroupNonUniformVote GroupNonUniformArithmetic GroupNonUniformClustered \
                   GroupNonUniformPartitionedNV GroupNonUniform SPV_NV_shader_subgroup_partitioned";

/// Operations: the type of the result, the operation, the operand.
const OPERATIONS: [(&str, &str, &str); 16] = [
    ("%uint", "IAdd", "%u1"),
    ("%float", "FAdd", "%f1"),
    ("%uint", "IMul", "%u1"),
    ("%float", "FMul", "%f1"),
    ("%int", "SMin", "%i1"),
    ("%uint", "UMin", "%u1"),
    ("%float", "FMin", "%f1"),
    ("%int", "SMax", "%i1"),
    ("%uint", "UMax", "%u1"),
    ("%float", "FMax", "%f1"),
    ("%uint", "BitwiseAnd", "%u1"),
    ("%uint", "BitwiseOr", "%u1"),
    ("%uint", "BitwiseXor", "%u1"),
    ("%bool", "LogicalAnd", "%true"),
    ("%bool", "LogicalOr", "%true"),
    ("%bool", "LogicalXor", "%true"),
];

/// Ways to combine: the way, the operand after the value, and the required capability.
const WAYS: [(&str, &str, &str); 7] = [
    ("Reduce", "", "GroupNonUniformArithmetic"),
    ("InclusiveScan", "", "GroupNonUniformArithmetic"),
    ("ExclusiveScan", "", "GroupNonUniformArithmetic"),
    ("ClusteredReduce", "%u1", "GroupNonUniformClustered"),
    ("PartitionedReduceEXT", "%ballot", PARTITIONED),
    ("PartitionedInclusiveScanEXT", "%ballot", PARTITIONED),
    ("PartitionedExclusiveScanEXT", "%ballot", PARTITIONED),
];

const PARTITIONED: &str = "GroupNonUniformPartitionedNV SPV_NV_shader_subgroup_partitioned";

/// All cases of this file.
pub fn cases() -> Vec<TrimCase> {
    let plain = [
        ("", ""),
        ("%x = OpGroupNonUniformElect %bool %u3", "GroupNonUniform"),
        ("%x = OpGroupNonUniformAll %bool %u3 %true", "GroupNonUniformVote"),
        ("%x = OpGroupNonUniformAny %bool %u3 %true", "GroupNonUniformVote"),
    ];
    let plain = plain.map(|(line, requires)| shader_with(line.to_owned(), requires));
    let combined = WAYS.iter().flat_map(|(way, last, requires)| {
        OPERATIONS.iter().map(move |(result, operation, operand)| {
            let ballot = "%v4 = OpTypeVector %uint 4\n%ballot = OpConstantComposite %v4 %u1 %u1 %u1 %u1";
            let ballot = if *last == "%ballot" { ballot } else { "" };
            let line = format!("%x = OpGroupNonUniform{operation} {result} %u3 {way} {operand} {last}");
            let mut case = shader_with(line, requires);
            case.code = format!("{ballot}\n{}", case.code);
            case
        })
    });
    plain.into_iter().chain(combined).collect()
}

/// A shader with one line.
fn shader_with(line: String, requires: &str) -> TrimCase {
    let name = if line.is_empty() { "no operation of subgroups" } else { &line };
    case(name, "spv1.5", ALL, format!("FN %main\n{line}\nEND"), &format!("Shader {requires}"))
}
